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
let timer = null; // while the game plays by itself

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

/** Bring buttons, field, list and address up to date. */
function mark(number) {
  player.dataset.move = number;
  const steps = { first: 0, back: clamp(number - 1), next: clamp(number + 1), last: clamp(Infinity) };
  for (const button of all('#player [data-step]')) {
    button.value = steps[button.dataset.step];
    button.toggleAttribute('aria-disabled', false);
    if (steps[button.dataset.step] === number) button.setAttribute('aria-disabled', 'true');
  }
  player.querySelector('input[name="move"][type="number"]').value = number;
  for (const link of all('#player .moves a')) {
    const isCurrent = Number(link.dataset.move) === number;
    link.toggleAttribute('aria-current', false);
    if (!isCurrent) continue;
    link.setAttribute('aria-current', 'step');
    const list = link.closest('ol');
    const row = link.closest('li').offsetTop - list.offsetTop;
    list.scrollTo({ top: row - list.clientHeight / 2 });
  }
  const address = addressOf(null);
  address.hash = number;
  history.replaceState(null, '', address);
}

async function show(number) {
  wanted = clamp(number);
  const turn = (asked += 1);
  const answer = await fetch(addressOf(wanted), { headers: { 'HX-Request': 'true' } }).catch(() => null);
  if (turn < answered) return; // a later one was faster
  answered = turn;
  if (!answer?.ok) {
    stop();
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const isNext = Number(player.dataset.move) + 1 === Number(fresh.getElementById('board').dataset.step);
  if (!isNext) fresh.querySelector('[data-flip]')?.removeAttribute('data-flip'); // a card turns up only going forward
  rememberPlaces();
  for (const part of PARTS) byId(part).replaceChildren(...fresh.getElementById(part).childNodes);
  mark(Number(byId('board').dataset.step));
  playFlights();
  tryInVain();
}

function stop() {
  clearTimeout(timer);
  timer = null;
  label();
}

function label() {
  run.querySelector('span').textContent = timer ? run.dataset.stop : run.dataset.start;
  const picture = run.querySelector('use');
  picture.setAttribute('href', picture.getAttribute('href').replace(/#.*/, timer ? '#stop' : '#play'));
}

/** One move after the other, until the page has something to explain. */
async function play() {
  timer = setTimeout(() => {}, 0);
  label();
  await show(wanted === clamp(Infinity) ? 0 : wanted + 1);
  if (!timer) return;
  if (byId('note').textContent.trim()) stop();
  else timer = setTimeout(play, PAUSE);
}

function go(number) {
  stop();
  show(number);
}

const KEYS = { ArrowLeft: () => wanted - 1, ArrowRight: () => wanted + 1, Home: () => 0, End: () => Infinity };

function onKey(event) {
  if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input')) return;
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
run.addEventListener('click', () => (timer ? stop() : play()));
run.hidden = false;
player.addEventListener('keydown', onKey);
window.addEventListener('hashchange', followHash);
followHash();
