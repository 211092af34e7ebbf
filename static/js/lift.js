// Lifted groups: a card and what lies on it, off their place. One is dragged; others were dropped
// and stay there until the answer comes. An answer may replace their elements at any time.

import { all, cardButton, groupOf, markPlaces, moverOf, placeElement, placeName, placesOf, state } from './board.js';
import { flyFrom } from './flip.js';

/** Where things are. Measured at the start of a drag: reading the layout while moving costs frames. */
function measure(lift) {
  const { left, top } = moverOf(cardButton(lift.card)).getBoundingClientRect();
  const { width, height } = cardButton(lift.card).getBoundingClientRect();
  Object.assign(lift, { left: left - lift.x, top: top - lift.y, width, height });
  const tableau = document.querySelector('.tableau').getBoundingClientRect();
  lift.places = [...all('[data-column]'), document.querySelector('.foundations')].map((element) => {
    const box = element.getBoundingClientRect();
    const name = placeName(element);
    // A column is as high as the tableau, however few cards lie in it.
    const { top: y, bottom } = name === 'F' ? box : tableau;
    return { name, element: placeElement(name, lift.card), left: box.left, right: box.right, top: y, bottom };
  });
}

/** Show a group where it is; one that waits for its answer can be grabbed again. */
export function render(lift) {
  for (const mover of lift.group) {
    mover.classList.add('dragging');
    mover.style.transform = lift.x || lift.y ? `translate3d(${lift.x}px, ${lift.y}px, 0)` : '';
  }
}

function unrender(lift) {
  for (const mover of lift.group) {
    mover.classList.remove('dragging');
    mover.style.transform = '';
  }
}

/** What holds a lifted group lies above its neighbours, and the card under it shows its face. */
function raisePlaces() {
  for (const old of all('.raised, .bared')) old.classList.remove('raised', 'bared');
  for (const { group: [first] } of state.lifts) {
    for (const around of ['.column, .foundation', '.tableau, .foundations']) first?.closest(around)?.classList.add('raised');
    first?.previousElementSibling?.classList.add('bared');
  }
}

/** Lift a group; one that waits where it was dropped is taken from there. */
export function liftUp(card) {
  const { x = 0, y = 0 } = state.lifts.find((lift) => lift.group.includes(moverOf(cardButton(card)))) ?? {};
  state.lifts = state.lifts.filter((lift) => lift.card !== card);
  const lift = { card, group: groupOf(card), x, y, startX: x, startY: y, over: null, isSent: false };
  measure(lift);
  state.lifts.push(lift);
  raisePlaces();
  render(lift);
  markPlaces(card);
  return lift;
}

/** Follow the pointer, which has gone dx, dy and is at x, y. */
export function moveLift(lift, dx, dy, x, y) {
  lift.x = lift.startX + dx;
  lift.y = lift.startY + dy;
  for (const mover of lift.group) mover.style.transform = `translate3d(${lift.x}px, ${lift.y}px, 0)`;
  const under = placeUnder(lift, x, y)?.element;
  const over = under?.hasAttribute('data-legal') ? under : null;
  if (over === lift.over) return;
  lift.over?.removeAttribute('data-over');
  over?.setAttribute('data-over', '');
  lift.over = over;
}

/** The place at a point, legal or not. */
export function placeUnder(lift, x, y) {
  return lift.places.find((place) => x >= place.left && x < place.right && y >= place.top && y < place.bottom);
}

/** The legal place that the lifted card covers most. */
export function placeCovered(lift) {
  const legal = placesOf(lift.card);
  const [left, top] = [lift.left + lift.x, lift.top + lift.y];
  const cover = (place) => Math.max(0, Math.min(left + lift.width, place.right) - Math.max(left, place.left))
    * Math.max(0, Math.min(top + lift.height, place.bottom) - Math.max(top, place.top));
  return lift.places.filter((place) => legal.includes(place.name) && cover(place) > 0).sort((a, b) => cover(b) - cover(a))[0];
}

/** The drag is over; the group may still wait where it is. */
export function unmark(lift) {
  lift.over?.removeAttribute('data-over');
  markPlaces(state.held);
}

/** The group goes back to where it belongs. */
export function putDown(lift) {
  if (!state.lifts.includes(lift)) return;
  state.lifts = state.lifts.filter((other) => other !== lift);
  unrender(lift);
  state.lifts.forEach(render); // one may have been taken out of this one
  raisePlaces();
  for (const mover of lift.group) if (mover.isConnected && !mover.style.transform) flyFrom(mover, lift.x, lift.y);
}

/** After a swap or a resize: groups off their places stay where they are seen, in the new markup. */
export function resumeLifts(answered) {
  for (const lift of state.lifts) {
    if (lift === answered) continue;
    unrender(lift);
    lift.group = groupOf(lift.card);
    if (!lift.group.length) continue;
    const { left, top } = lift.group[0].getBoundingClientRect();
    const [dx, dy] = [lift.left - left, lift.top - top];
    lift.x += dx;
    lift.y += dy;
    lift.startX += dx;
    lift.startY += dy;
    render(lift);
    measure(lift);
  }
  state.lifts = state.lifts.filter((lift) => lift === answered || lift.group.length);
  raisePlaces();
}
