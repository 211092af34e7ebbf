// Tapping: a tap picks a card up, the next one names its place. A tap is the equal of a drag, and of
// a click that a screen reader makes.

import { cardButton, groupOf, hold, isOn, ownPlace, placesOf, state } from './board.js';
import { phrase, say } from './message.js';
import { isSent, send } from './send.js';

const QUICK = 350; // ms between two quick taps

let lastTap = { card: null, time: -Infinity, hasActed: false, swaps: 0, x: 0, y: 0 };

/** Pick a card up without moving it, and say so. */
export function pickUp(card) {
  hold(card);
  const name = cardButton(card)?.getAttribute('aria-label');
  say(phrase('held', { card: name, cards: groupOf(card).length, places: placesOf(card).length }), false);
}

/** Put the held card on a place. */
export function putOn(place) {
  const card = state.held;
  hold(null);
  send(card, place);
}

const isLastCard = (card) => groupOf(card).length === 1;

/** What a single tap does; true if it sent a move. */
function act({ card, place }, own) {
  const { held } = state;
  if (!place) {
    hold(null);
  } else if (held && place !== own) {
    putOn(place);
    return true;
  } else if (!card || card === held) {
    hold(null);
  } else if (!held && isLastCard(card) && placesOf(card).includes('F')) {
    send(card, 'F');
    return true;
  } else {
    pickUp(card);
  }
  return false;
}

const isNear = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < (one.type === 'mouse' ? 10 : 24);

/** A tap: {card, place, x, y, time, type, swaps}; the card is the one that lay under it as it began. */
export function tap(press) {
  const { card, place, time } = press;
  const isQuick = time - lastTap.time <= QUICK;
  const isSame = isQuick && card !== null && card === lastTap.card;
  // The card of the first tap has gone, or the board has changed: what lies there now was not meant.
  const isOfFirst = isQuick && !isSame && (lastTap.hasActed || lastTap.swaps !== state.swaps) && isNear(press, lastTap);
  if (isOfFirst || (isSame && lastTap.hasActed)) {
    lastTap.time = time;
    return;
  }
  let hasActed = false;
  if (isSame && isOn('doubleClick')) {
    hold(null);
    send(card, 'auto');
    hasActed = true;
  } else if (state.held || !isSent(card)) {
    hasActed = act(press, state.held && ownPlace(state.held));
  }
  lastTap = { card, place, time, hasActed, swaps: state.swaps, x: press.x, y: press.y };
}
