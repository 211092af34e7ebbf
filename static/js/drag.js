// The pointer on the board: one path for mouse, pen and finger. A press lifts the group at once; past
// a few pixels it is a drag, else a tap.

import { byId, hold, isOn, listen, markPlaces, placeName, state } from './board.js';
import { endFlights } from './flip.js';
import { liftUp, moveLift, placeCovered, placeUnder, putDown, render, resumeLifts, unmark } from './lift.js';
import { send } from './send.js';
import { tap } from './tap.js';

// What holds the pointer while it drags: it lies over everything, and no answer replaces it.
const hand = document.createElement('div');

let frame = 0;
let ignoreUntil = 0; // the click that follows a press which has been dealt with

/** Give up what the pointer was doing; the group goes home. */
export function cancelPress() {
  const { press } = state;
  state.press = null;
  cancelAnimationFrame(frame);
  frame = 0;
  hand.hidden = true;
  if (!press?.lift) return;
  unmark(press.lift);
  putDown(press.lift);
}

function onDown(event) {
  const isSecond = state.press && event.pointerId !== state.press.id; // a second finger: the player zooms
  cancelPress();
  if (isSecond || event.button !== 0 || !event.isPrimary) return;
  const { clientX: x, clientY: y, pointerId: id, pointerType: type } = event;
  // Cards in flight are met where they are going, not where they are seen.
  const target = endFlights() ? document.elementFromPoint(x, y) : event.target;
  if (!target?.closest) return;
  const card = target.closest('#board [data-card]')?.dataset.card ?? null;
  state.press = { id, type, card, place: placeName(target), x, y, startX: x, startY: y, swaps: state.swaps, isDrag: false, lift: null };
  frame = requestAnimationFrame(follow);
}

/** Once for each frame: lift what is pressed, and let it go with the pointer. A quick tap is over before. */
function follow() {
  frame = 0;
  const { press } = state;
  // With a card selected this is most likely the tap that names its place: nothing is lifted yet.
  if (press.card && (press.isDrag || !state.held)) press.lift ??= liftUp(press.card);
  if (press.isDrag) moveLift(press.lift, press.x - press.startX, press.y - press.startY, press.x, press.y);
}

function onMove(event) {
  const { press } = state;
  if (event.pointerId !== press?.id) return;
  if (press.type === 'mouse' && !(event.buttons & 1)) return cancelPress(); // let go out of sight
  [press.x, press.y] = [event.clientX, event.clientY];
  if (!press.isDrag) {
    // A finger is less steady than a mouse.
    if (!press.card || Math.hypot(press.x - press.startX, press.y - press.startY) < (press.type === 'mouse' ? 4 : 7)) return;
    press.isDrag = true;
    if (state.held) hold(null);
    hand.hidden = false;
    hand.setPointerCapture(press.id);
  }
  frame ||= requestAnimationFrame(follow);
}

function onUp(event) {
  const { press } = state;
  if (event.pointerId !== press?.id) return;
  if (press.isDrag) {
    [press.x, press.y] = [event.clientX, event.clientY];
    cancelAnimationFrame(frame);
    follow();
    const { lift } = press;
    state.press = null;
    hand.hidden = true;
    unmark(lift);
    const place = (placeUnder(lift, press.x, press.y) ?? placeCovered(lift))?.name;
    if (isOn('autoPlace')) send(lift.card, 'auto', lift);
    else if (place && place !== placeName(lift.group[0])) send(lift.card, place, lift);
    if (lift.isSent) render(lift);
    else putDown(lift);
  } else {
    cancelPress();
    // What counts is where the press began, also when an answer has replaced that element.
    tap({ ...press, time: event.timeStamp });
  }
  if (press.place) ignoreUntil = event.timeStamp + 400;
}

function onClick(event) {
  const button = event.target.closest?.('#board :is([data-card], .slot)');
  if (!button) return;
  event.preventDefault(); // it would send the form that serves pages without script
  if (event.detail > 0 && event.timeStamp < ignoreUntil) return;
  // A click without a press: a screen reader, a switch, a script.
  const { left: x, top: y } = button.getBoundingClientRect();
  tap({ type: '', card: button.dataset.card ?? null, place: placeName(button), x, y, swaps: state.swaps, time: event.timeStamp });
}

/** The page has changed under the pointer: go on with what is left of the drag. */
export function resumePress(answered) {
  resumeLifts(answered);
  const { press } = state;
  if (!press?.lift) return;
  if (!press.lift.group.length) return cancelPress();
  markPlaces(press.card);
}

export function startDragging() {
  hand.className = 'hand';
  hand.hidden = true;
  document.body.append(hand);
  listen('pointerdown', onDown);
  listen('pointermove', onMove);
  listen('pointerup', onUp);
  const onLost = (event) => event.pointerId === state.press?.id && cancelPress();
  listen('pointercancel', onLost);
  listen('lostpointercapture', (event) => event.target === hand && onLost(event));
  listen('click', onClick, true);
  // A long press on a card lifts it and opens no menu; with a mouse the menu stays.
  listen('contextmenu', (event) => {
    if (event.target.closest?.('#board .card') && (state.press || event.pointerType === 'touch')) event.preventDefault();
  });
  listen('dragstart', (event) => event.target.closest?.('#board') && event.preventDefault());
  addEventListener('resize', () => state.lifts.length && resumePress());
}
