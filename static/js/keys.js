// The keyboard: arrows walk the board, Enter picks up and puts down, letters do the rest. One stop
// for Tab on the whole board (roving tabindex), and the focus survives every swap.

import { byId, hold, listen, openWindow, ownPlace, placeAround, placeAt, state } from './board.js';
import { cancelPress } from './drag.js';
import { send } from './send.js';
import { pickUp, putOn } from './tap.js';

const STOPS = '[data-card], .slot';
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let current = null; // the id of the board's one tab stop
let focused = null; // before a swap: {id, place, index}

const stopsIn = (place) => [...place.querySelectorAll(STOPS)];
const isStop = (element) => Boolean(element?.matches?.(`#board :is(${STOPS})`));
const middle = (box) => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });

/** Make one card the board's tab stop. */
function setStop(stop) {
  current = stop?.id ?? null;
  for (const other of document.querySelectorAll(`#board :is(${STOPS})`)) other.tabIndex = other === stop ? 0 : -1;
}

export function refreshStops() {
  const stops = [...document.querySelectorAll(`#board .tableau :is(${STOPS})`)];
  const lastOfFirst = stops.findLast((stop) => placeAround(stop) === placeAround(stops[0]));
  setStop(byId(current) ?? lastOfFirst ?? document.querySelector(`#board :is(${STOPS})`));
}

/** The nearest stop from here in a direction, as the eye sees the board (so writing direction is no matter). */
function neighbour(stop, [dx, dy]) {
  const here = placeAround(stop);
  const mates = stopsIn(here);
  const mate = dy && mates[mates.indexOf(stop) + dy];
  if (mate) return mate;
  const from = here.getBoundingClientRect();
  const start = middle(stop.getBoundingClientRect());
  const origin = middle(from);
  let candidates = [...document.querySelectorAll('#board :is([data-column], [data-foundation])')]
    .map((place) => ({ place, box: place.getBoundingClientRect() }))
    .filter(({ place, box }) => place !== here && (dx
      ? (middle(box).x - origin.x) * dx > 1 && box.top < from.bottom && box.bottom > from.top
      : (middle(box).y - origin.y) * dy > 1 && (dy < 0 ? box.bottom <= from.top + 1 : box.top >= from.bottom - 1)));
  // Foundations beside the columns: up from a first card still leads to them.
  if (!candidates.length && dy < 0 && here.dataset.column) {
    candidates = [...document.querySelectorAll('#board [data-foundation]')].map((place) => ({ place, box: place.getBoundingClientRect() }));
  }
  const distance = ({ box }) => Math.hypot((middle(box).x - origin.x) * (dx ? 1 : 4), dx ? 0 : middle(box).y - origin.y);
  candidates.sort((one, other) => distance(one) - distance(other));
  const near = (other) => Math.abs(middle(other.getBoundingClientRect()).y - start.y);
  return candidates.length ? stopsIn(candidates[0].place).sort((one, other) => near(one) - near(other))[0] : null;
}

function pickOrPut(stop) {
  const card = stop.dataset.card ?? null;
  const place = placeAt(stop);
  if (state.held && place !== ownPlace(state.held)) putOn(place);
  else if (!card || card === state.held) hold(null);
  else pickUp(card);
}

function sendCard(to) {
  const stop = document.activeElement;
  const card = state.held ?? (isStop(stop) ? stop.dataset.card : null);
  if (!card) return false;
  hold(null);
  send(card, to);
  return true;
}

const press = (selector) => {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
};

const LETTERS = {
  f: () => sendCard('F'),
  p: () => sendCard('auto'),
  u: () => press('[data-action="undo"]'),
  r: () => press('[data-action="redo"]'),
  n: () => press('[data-action="new"]'),
  '?': () => {
    byId('keys')?.showModal();
    return Boolean(byId('keys'));
  },
};

/** Does this key mean something here? Does it, and says so. */
function handle(event) {
  const { key } = event;
  const stop = document.activeElement;
  if (key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey) return LETTERS[event.shiftKey ? 'r' : 'u']();
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (key === 'Escape') {
    const isBusy = Boolean(state.press || state.held);
    cancelPress();
    hold(null);
    return isBusy;
  }
  if (ARROWS[key]) {
    // From nowhere in particular the first arrow leads onto the board.
    if (!isStop(stop) && stop !== document.body) return false;
    const next = isStop(stop) ? neighbour(stop, ARROWS[key]) : byId(current);
    next?.focus();
    return Boolean(next);
  }
  if ((key === 'Enter' || key === ' ') && isStop(stop)) {
    if (!event.repeat) pickOrPut(stop);
    return true;
  }
  if (event.repeat && key !== 'u' && key !== 'r') return false;
  return LETTERS[key.toLowerCase()]?.() ?? false;
}

function isTyping({ target }) {
  return target.closest?.('input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]') || openWindow();
}

/** Before a swap: who has the focus, and where. */
export function rememberFocus() {
  const stop = document.activeElement;
  const place = isStop(stop) && placeAround(stop);
  focused = place ? { id: stop.id, place: place.id, index: stopsIn(place).indexOf(stop) } : null;
}

/** After it: the focus stays with the card that moved, with its own card, or near where it was. */
export function restoreFocus() {
  if (focused && !openWindow()) {
    const place = byId(focused.place);
    const stops = place ? stopsIn(place) : [];
    const end = byId('finish')?.querySelector('button'); // won: on with the next game
    const stop = end ?? ((state.follow && byId(`card-${state.follow}`)) || byId(focused.id) || stops[Math.min(focused.index, stops.length - 1)]);
    stop?.focus({ preventScroll: true });
    if (isStop(stop)) current = stop.id;
  }
  focused = null;
  refreshStops();
}

export function startKeys() {
  listen('keydown', (event) => {
    if (!event.defaultPrevented && !event.isComposing && !isTyping(event) && handle(event)) event.preventDefault();
  });
  // Some browsers make the space bar's click on key up.
  listen('keyup', (event) => event.key === ' ' && isStop(event.target) && event.preventDefault());
  listen('focusin', (event) => isStop(event.target) && event.target.id !== current && setStop(event.target));
  refreshStops();
}
