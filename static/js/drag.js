// Dragging: one path for mouse, pen and finger. A press lifts the group at once; past a few pixels
// it is a drag; let go over a place it stays there until the answer comes, else it flies home.

import { byId, groupOf, hold, isOn, listen, markPlaces, moverOf, ownPlace, placeAt, placeElement, placeName, placesOf, cardButton, state } from './board.js';
import { endFlights, flyFrom } from './flip.js';
import { send } from './send.js';
import { tap } from './tap.js';

const THRESHOLD = 4; // px
const FINGER_THRESHOLD = 7; // a finger is less steady

let frame = 0;

/** Where the places are, measured once per drag: reading the layout while moving costs frames. */
function measure(lift) {
  const places = [...document.querySelectorAll('#board [data-column], #board [data-foundation]')].map((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { element, name: placeName(element), left, right, top, bottom };
  });
  const columns = places.filter(({ name }) => name !== 'F');
  const top = Math.min(...columns.map((place) => place.top));
  // A column is as high as the board, however few cards lie in it.
  const bottom = Math.max(innerHeight, ...columns.map((place) => place.bottom));
  for (const column of columns) Object.assign(column, { top, bottom });
  const area = document.querySelector('#board .foundations')?.getBoundingClientRect();
  const own = placeElement('F', lift.card);
  if (area) places.push({ element: own, name: 'F', left: area.left, right: area.right, top: area.top, bottom: area.bottom });
  lift.places = places;
}

function measureHome(lift) {
  const button = cardButton(lift.card);
  const box = button.getBoundingClientRect();
  lift.size = { width: box.width, height: box.height };
  lift.home = { left: box.left - lift.x, top: box.top - lift.y };
}

function show(lift) {
  const transform = `translate3d(${lift.x}px, ${lift.y}px, 0)`;
  for (const mover of lift.group) mover.style.transform = transform;
}

/** Take a group off its place. A group that still waits where it was dropped is taken from there. */
function liftUp(card) {
  const waiting = state.lifts.find((lift) => lift.card === card);
  const [x, y] = waiting ? [waiting.x, waiting.y] : [0, 0];
  state.lifts = state.lifts.filter((lift) => lift !== waiting);
  const lift = { card, group: groupOf(card), own: ownPlace(card), baseX: x, baseY: y, x, y, over: null, isSent: false };
  measureHome(lift);
  measure(lift);
  state.lifts.push(lift);
  for (const mover of lift.group) mover.classList.add('dragging');
  markPlaces(card);
  return lift;
}

function clearMarks(lift) {
  lift.over?.removeAttribute('data-over');
  lift.over = null;
  byId('board')?.removeAttribute('data-dragging');
  markPlaces(state.held);
}

/** The group lies down where it belongs; flying, if it was away. */
export function putDown(lift) {
  if (!state.lifts.includes(lift)) return;
  state.lifts = state.lifts.filter((other) => other !== lift);
  for (const mover of lift.group) {
    if (!mover.isConnected) continue;
    mover.classList.remove('dragging');
    mover.style.removeProperty('transform');
    flyFrom(mover, lift.x, lift.y, true);
  }
}

function placeUnder(lift, x, y) {
  return lift.places.find((place) => x >= place.left && x < place.right && y >= place.top && y < place.bottom);
}

function placeOverlapped(lift) {
  const legal = new Set(placesOf(lift.card).map((name) => placeElement(name, lift.card)));
  const [left, top] = [lift.home.left + lift.x, lift.home.top + lift.y];
  const [right, bottom] = [left + lift.size.width, top + lift.size.height];
  let best = null;
  let most = 0;
  for (const place of lift.places) {
    const width = Math.min(right, place.right) - Math.max(left, place.left);
    const height = Math.min(bottom, place.bottom) - Math.max(top, place.top);
    const overlap = width > 0 && height > 0 ? width * height : 0;
    if (overlap > most && legal.has(place.element)) [best, most] = [place, overlap];
  }
  return best;
}

/** One frame of a drag: the group follows, the place under the pointer lights up. */
function follow() {
  frame = 0;
  const { press } = state;
  if (!press?.isDrag) return;
  const { lift } = press;
  lift.x = lift.baseX + press.x - press.startX;
  lift.y = lift.baseY + press.y - press.startY;
  show(lift);
  const under = placeUnder(lift, press.x, press.y);
  const element = under && (under.name === 'F' ? placeElement('F', lift.card) : under.element);
  const over = element?.hasAttribute('data-legal') ? element : null;
  if (over === lift.over) return;
  lift.over?.removeAttribute('data-over');
  over?.setAttribute('data-over', '');
  lift.over = over;
}

function beginDrag(press) {
  press.isDrag = true;
  if (state.held) hold(null);
  press.lift ??= liftUp(press.card);
  markPlaces(press.card);
  byId('board').setAttribute('data-dragging', '');
  // The root never leaves the page, whatever an answer replaces meanwhile.
  document.documentElement.setPointerCapture(press.id);
}

/** Give up what the pointer was doing. */
export function cancelPress() {
  const { press } = state;
  if (!press) return;
  state.press = null;
  cancelAnimationFrame(frame);
  frame = 0;
  if (press.lift) {
    clearMarks(press.lift);
    putDown(press.lift);
  }
}

function onDown(event) {
  if (state.press && event.pointerId !== state.press.id) {
    // A second finger: the player zooms.
    cancelPress();
    return;
  }
  cancelPress();
  if (event.button !== 0 || !event.isPrimary) return;
  const { clientX: x, clientY: y } = event;
  // Cards in flight are met where they are going, not where they are seen.
  const target = endFlights() ? document.elementFromPoint(x, y) : event.target;
  if (!target?.closest) return;
  const card = target.closest('#board [data-card]')?.dataset.card ?? null;
  const press = { id: event.pointerId, type: event.pointerType, card, place: placeAt(target), isBoard: Boolean(target.closest('#board')), startX: x, startY: y, x, y, swaps: state.swaps, isDrag: false, lift: null };
  // With a card selected this is most likely the tap that names its place: nothing is lifted yet.
  if (card && !state.held) press.lift = liftUp(card);
  state.press = press;
}

function onMove(event) {
  const { press } = state;
  if (!press || event.pointerId !== press.id) return;
  if (event.pointerType === 'mouse' && !(event.buttons & 1)) return cancelPress(); // let go out of sight
  press.x = event.clientX;
  press.y = event.clientY;
  if (!press.isDrag) {
    const far = Math.hypot(press.x - press.startX, press.y - press.startY);
    if (!press.card || far < (press.type === 'touch' ? FINGER_THRESHOLD : THRESHOLD)) return;
    beginDrag(press);
  }
  frame ||= requestAnimationFrame(follow);
}

function drop(press) {
  const { lift } = press;
  const under = placeUnder(lift, press.x, press.y);
  const place = under?.name ?? placeOverlapped(lift)?.name;
  clearMarks(lift);
  if (isOn('autoPlace')) send(lift.card, 'auto', lift);
  else if (place && place !== lift.own) send(lift.card, place, lift);
  if (!lift.isSent) putDown(lift);
}

function onUp(event) {
  const { press } = state;
  if (!press || event.pointerId !== press.id) return;
  press.x = event.clientX;
  press.y = event.clientY;
  if (press.isDrag) {
    cancelAnimationFrame(frame);
    follow();
    frame = 0;
    state.press = null;
    drop(press);
    ignoreClick(event);
  } else {
    cancelPress();
    // A press that began on the board ends as a tap, also when an answer has replaced its element.
    if (press.isBoard) ignoreClick(event);
    tap({ ...press, time: event.timeStamp });
  }
}

let ignoredUntil = 0;

/** The click that a browser makes of this press has been dealt with. */
function ignoreClick(event) {
  ignoredUntil = event.timeStamp + 400;
}

function onClick(event) {
  const button = event.target.closest?.('#board [data-card], #board .slot');
  const isOfPress = event.detail > 0 && event.timeStamp < ignoredUntil;
  if (isOfPress) ignoredUntil = 0;
  if (!button) return;
  event.preventDefault(); // else the form that serves pages without script is sent
  if (isOfPress) return;
  // A click without a press comes from a screen reader, a switch, a script.
  const box = button.getBoundingClientRect();
  tap({ card: button.dataset.card ?? null, place: placeAt(button), isBoard: true, type: '', x: box.left, y: box.top, swaps: state.swaps, time: event.timeStamp });
}

/** After a swap: groups still off their places go on from where they are, in the new markup. */
export function resumeLifts(answered) {
  for (const lift of [...state.lifts]) {
    if (lift === answered) continue;
    const button = cardButton(lift.card);
    if (!button) {
      if (state.press?.lift === lift) cancelPress();
      state.lifts = state.lifts.filter((other) => other !== lift);
      continue;
    }
    for (const mover of lift.group) {
      mover.classList.remove('dragging');
      mover.style.removeProperty('transform');
    }
    lift.group = groupOf(lift.card);
    lift.own = ownPlace(lift.card);
    const seen = { left: lift.home.left + lift.x, top: lift.home.top + lift.y };
    const box = moverOf(button).getBoundingClientRect();
    lift.home = { left: box.left, top: box.top };
    const [x, y] = [seen.left - box.left, seen.top - box.top];
    lift.baseX += x - lift.x;
    lift.baseY += y - lift.y;
    [lift.x, lift.y] = [x, y];
    measure(lift);
    for (const mover of lift.group) mover.classList.add('dragging');
    show(lift);
  }
  const { press } = state;
  if (press?.isDrag) byId('board')?.setAttribute('data-dragging', '');
  if (press?.lift) markPlaces(press.card);
}

export function startDragging() {
  listen('pointerdown', onDown);
  listen('pointermove', onMove);
  listen('pointerup', onUp);
  listen('pointercancel', (event) => event.pointerId === state.press?.id && cancelPress());
  listen('lostpointercapture', (event) => {
    if (event.target === document.documentElement && event.pointerId === state.press?.id) cancelPress();
  });
  listen('click', onClick, true);
  // The long press on a card is a lift, not a menu; with a mouse the menu stays.
  listen('contextmenu', (event) => {
    if (event.target.closest?.('#board .card') && (state.press || event.pointerType === 'touch')) event.preventDefault();
  });
  listen('dragstart', (event) => event.target.closest?.('#board') && event.preventDefault());
  addEventListener('resize', () => state.lifts.length && resumeLifts(null));
  addEventListener('scroll', () => state.lifts.length && resumeLifts(null), { passive: true });
}
