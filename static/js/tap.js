// Tapping: one tap picks a card up, the next names its place.

import { cardButton, groupOf, hold, isOn, placeName, placesOf, state } from './board.js';
import { phrase, say } from './message.js';
import { isSent, send } from './send.js';

const QUICK = 350; // ms between two quick taps

let lastTap = { card: null, time: -QUICK, x: 0, y: 0, swaps: 0, hasActed: false };

/** Pick a card up where it lies, and say so a moment later: first the card has to be seen to be held. */
export function pickUp(card) {
  hold(card);
  setTimeout(() => state.held === card && sayHeld(card), 60);
}

function sayHeld(card) {
  const others = groupOf(card).length - 1;
  const lifted = phrase(others ? 'liftedGroup' : 'lifted', { card: cardButton(card)?.getAttribute('aria-label'), others });
  say(`${lifted} ${phrase('places', { places: placesOf(card).length })}`, 'said');
}

/** With a card held: put it on that place, let it go, or take the other card of its column. True if it is sent. */
export function pickOrPut(card, place) {
  const { held } = state;
  if (held && place && place !== placeName(cardButton(held))) {
    hold(null);
    send(held, place);
    return true;
  }
  if (card && card !== held) pickUp(card);
  else hold(null);
  return false;
}

const isNear = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < (one.type === 'mouse' ? 10 : 24);

/** A tap: {card, place, x, y, time, type, swaps}; the card is the one that lay there as it began. */
export function tap(press) {
  const { card, place, time } = press;
  const isQuick = time - lastTap.time <= QUICK;
  const isSame = isQuick && card && card === lastTap.card;
  // The first tap's card has gone, or the board has changed: what lies there now was not meant.
  const isOther = isQuick && !isSame && (lastTap.hasActed || lastTap.swaps !== state.swaps) && isNear(press, lastTap);
  let hasActed = isOther || (isSame && lastTap.hasActed);
  if (hasActed) return void (lastTap.time = time);
  if (isSame && isOn('doubleClick')) {
    hold(null);
    send(card, 'auto');
    hasActed = true;
  } else if (!state.held && card && groupOf(card).length === 1 && placesOf(card).includes('F')) {
    if (!isSent(card)) send(card, 'F');
    hasActed = true;
  } else if (state.held || !isSent(card)) {
    hasActed = pickOrPut(card, place);
  }
  lastTap = { ...press, hasActed, swaps: state.swaps };
}
