// The keyboard: arrows walk the board, Enter picks up and puts down, letters do the rest. The board
// is one stop for Tab, and the focus survives every swap.

import { all, byId, hold, listen, openWindow, placeAround, placeName, state } from './board.js';
import { cancelPress } from './drag.js';
import { send } from './send.js';
import { pickOrPut } from './tap.js';

const STOPS = '#board :is([data-card], .slot)';
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let stopId = null; // the board's one tab stop
let focused = null; // before a swap: where the focus was

const stopsIn = (place) => [...(place?.querySelectorAll(STOPS) ?? [])];
const focusedStop = () => document.activeElement.closest(STOPS);

/** The focus has gone to another stop. */
function moveStop(stop) {
  byId(stopId)?.setAttribute('tabindex', '-1');
  stop?.setAttribute('tabindex', '0');
  stopId = stop?.id;
}

/** The same on a board that is new, at least in part. */
function setStop(stop) {
  for (const other of all(STOPS)) if (other.tabIndex !== -1) other.setAttribute('tabindex', '-1');
  moveStop(stop);
}

function boxOf(element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { element, top, bottom, x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** The next stop in a direction, as the eye sees the board: writing direction and layout don't matter. */
function neighbour(stop, [dx, dy]) {
  const place = placeAround(stop);
  const mates = stopsIn(place);
  const mate = dy && mates[mates.indexOf(stop) + dy];
  if (mate) return mate;
  const here = boxOf(place);
  const others = all('[data-column], [data-foundation]').map(boxOf);
  const beside = (other) => (other.x - here.x) * dx > 1 && other.top < here.bottom && other.bottom > here.top;
  const beyond = (other) => (dy < 0 ? other.bottom <= here.top + 1 : other.top >= here.bottom - 1);
  let ahead = others.filter(dx ? beside : beyond);
  // Foundations may lie beside the columns: up from a first card leads to them all the same.
  if (!ahead.length && dy < 0 && place.dataset.column) ahead = others.filter(({ element }) => element.dataset.foundation);
  const distance = (other) => Math.abs(other.x - here.x) * (dy ? 9 : 1) + Math.abs(other.y - here.y) * Math.abs(dy);
  ahead.sort((one, other) => distance(one) - distance(other));
  const { y } = boxOf(stop);
  return stopsIn(ahead[0]?.element).sort((one, other) => Math.abs(boxOf(one).y - y) - Math.abs(boxOf(other).y - y))[0];
}

function sendCard(to) {
  const card = state.held ?? focusedStop()?.dataset.card;
  hold(null);
  if (card) send(card, to);
}

const click = (action) => () => document.querySelector(`[data-action="${action}"]`)?.click();

const LETTERS = {
  f: () => sendCard('F'),
  p: () => sendCard('auto'),
  u: click('undo'),
  r: click('redo'),
  n: click('new'),
  '?': click('help'),
};

/** What a key does here, or nothing. */
function actionOf(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const stop = focusedStop();
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    if (key === 'y') return LETTERS.r;
    return key === 'z' && LETTERS[event.shiftKey ? 'r' : 'u'];
  }
  if (key === 'Escape') {
    return (state.press || state.held) && (() => {
      cancelPress();
      hold(null);
    });
  }
  if (ARROWS[key] && (stop || document.activeElement === document.body)) {
    return () => (stop ? neighbour(stop, ARROWS[key]) : byId(stopId))?.focus();
  }
  if (event.repeat) return (key === 'u' || key === 'r') && LETTERS[key];
  if ((key === 'Enter' || key === ' ') && stop) return () => pickOrPut(stop.dataset.card, placeName(stop));
  return LETTERS[key];
}

function onKey(event) {
  if (event.defaultPrevented || event.isComposing || openWindow() || event.target.closest('input, select, textarea')) return;
  const action = actionOf(event);
  if (!action) return;
  event.preventDefault();
  action();
}

/** Before a swap: who has the focus, and where. */
export function rememberFocus() {
  const stop = focusedStop();
  const place = placeAround(stop);
  const { action } = document.activeElement.dataset;
  focused = (stop || action || openWindow()) && { action, id: stop?.id, place: place?.id, index: stopsIn(place).indexOf(stop) };
  stop?.blur(); // else the browser and htmx look for a new holder of the focus, each with a layout of its own
}

/** After it: with the card that moved, with the same card, or near where it was; after a win with what comes next. */
export function restoreFocus() {
  const { action, id, place, index } = focused ?? {};
  const near = stopsIn(byId(place));
  const stop = byId(`card-${state.follow}`) ?? byId(id) ?? near[Math.min(index, near.length - 1)];
  const first = byId(stopId) ?? all(STOPS).find((other) => placeAround(other).dataset.column) ?? all(STOPS)[0];
  setStop((focused && stop) || first);
  const isLost = focused && (!action || document.activeElement === document.body);
  if (isLost && !openWindow()) {
    const next = document.querySelector('#finish button') ?? document.querySelector(`.actions [data-action="${action}"]`) ?? byId(stopId);
    next?.focus({ preventScroll: true });
  }
  focused = null;
}

export function startKeys() {
  restoreFocus();
  listen('keydown', onKey);
  // Some browsers make the space bar's click on key up.
  listen('keyup', (event) => event.key === ' ' && event.target.closest?.(STOPS) && event.preventDefault());
  listen('focusin', ({ target }) => target.matches(STOPS) && target.id !== stopId && moveStop(target));
}
