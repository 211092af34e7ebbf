// The Examples page: steps through the game without leaving the page. Every board comes from the
// server; without this script the same buttons and links load the whole page.

import { all, byId, listen } from './board.js';
import { playFlights, rememberPlaces } from './flip.js';

const PAUSE = 1300; // ms between moves that play by themselves

const player = byId('player');
const run = byId('run');
const PARTS = ['felt', 'told', 'note'];
let wanted = Number(player.dataset.move); // the step that is shown, or on its way
let asked = 0; // requests so far, and the last that was answered
let answered = 0;
let playing = null; // an object of its own each time the game plays by itself

const clamp = (number) => Math.min(Math.max(number, 0), Number(player.dataset.last));

function addressOf(number) {
  const address = new URL(location.pathname, location.origin);
  if (player.dataset.lang) address.searchParams.set('lang', player.dataset.lang);
  if (number !== null) address.searchParams.set('move', number);
  return address;
}

/** The refused group sets out for the empty column, and goes home. */
function tryInVain() {
  const column = byId('board').dataset.attempt;
  const lead = document.querySelector('#board .lead');
  if (!column || !lead || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const [from, to] = [lead, byId(`column-${column}`)].map((element) => element.getBoundingClientRect());
  const there = { transform: `translate(${to.left - from.left}px, ${to.top - from.top}px)`, zIndex: 6 };
  const home = { transform: 'none', zIndex: 6 };
  for (const card of all('#board .held')) {
    card.animate([home, { ...there, offset: 0.4 }, { ...there, offset: 0.6 }, home], { duration: 1100, easing: 'ease-in-out' });
  }
}

/** The current move in the middle of the list; the page itself stays where it is. */
function scrollList() {
  const list = player.querySelector('.moves');
  const row = list.querySelector('[aria-current]')?.parentElement;
  list.scrollTo({ top: row ? row.offsetTop - list.clientHeight / 2 : 0 });
}

/** Bring buttons, field, list and address up to date. */
function mark(number) {
  player.dataset.move = number;
  const steps = { first: 0, back: clamp(number - 1), next: clamp(number + 1), last: clamp(Infinity) };
  for (const button of all('#player [data-step]')) {
    button.value = steps[button.dataset.step];
    if (steps[button.dataset.step] === number) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
  }
  player.querySelector('input[name="move"][type="number"]').value = number;
  for (const link of all('#player .moves a')) {
    if (Number(link.dataset.move) === number) link.setAttribute('aria-current', 'step');
    else link.removeAttribute('aria-current');
  }
  scrollList();
  const address = addressOf(null);
  address.hash = number;
  history.replaceState(null, '', address);
}

async function load(number) {
  const answer = await fetch(addressOf(number), { headers: { 'HX-Request': 'true' } });
  if (!answer.ok) throw new Error(answer.status);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

async function show(number) {
  wanted = clamp(number);
  const turn = (asked += 1);
  const fresh = await load(wanted).catch(() => null);
  if (turn < answered) return; // a later one was faster
  answered = turn;
  if (!fresh) {
    stop();
    wanted = Number(player.dataset.move);
    byId('told').textContent = player.dataset.offline;
    return;
  }
  const isNext = Number(player.dataset.move) + 1 === Number(fresh.getElementById('board').dataset.step);
  if (!isNext) fresh.querySelector('[data-flip]')?.removeAttribute('data-flip'); // a card turns up only going forward
  rememberPlaces();
  for (const part of PARTS) byId(part).replaceChildren(...fresh.getElementById(part).childNodes);
  mark(Number(byId('board').dataset.step));
  tryInVain(); // first: it measures where the cards lie, not where they fly
  playFlights();
}

function label() {
  run.querySelector('span').textContent = playing ? run.dataset.stop : run.dataset.start;
  const picture = run.querySelector('use');
  picture.setAttribute('href', picture.getAttribute('href').replace(/#.*/, playing ? '#stop' : '#play'));
}

function stop() {
  playing = null;
  label();
}

/** One move after the other, until the page has something to explain. */
async function play() {
  const mine = {};
  playing = mine;
  label();
  while (playing === mine) {
    await show(wanted === clamp(Infinity) ? 0 : wanted + 1);
    if (playing === mine && byId('note').textContent.trim()) stop();
    if (playing === mine) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

function go(number) {
  stop();
  show(number);
}

const KEYS = { ArrowLeft: () => wanted - 1, ArrowRight: () => wanted + 1, Home: () => 0, End: () => Infinity };

function onKey(event) {
  if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input')) return;
  if (!player.contains(event.target) && !event.key.startsWith('Arrow')) return; // Home and End are the page's own
  event.preventDefault();
  go(KEYS[event.key]());
}

function followHash() {
  const number = /^#\d{1,4}$/.test(location.hash) ? clamp(Number(location.hash.slice(1))) : null;
  if (number === null) return;
  player.scrollIntoView();
  if (number !== wanted) go(number);
}

listen('submit', (event) => {
  if (!player.contains(event.target)) return;
  event.preventDefault();
  go(Number(event.submitter?.name ? event.submitter.value : new FormData(event.target).get('move')));
});
listen('click', (event) => {
  const link = event.target.closest('.moves a');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(Number(link.dataset.move));
});
run.addEventListener('click', () => (playing ? stop() : play()));
if (wanted) scrollList();
document.addEventListener('keydown', onKey);
window.addEventListener('hashchange', followHash);
followHash();
