// Flights: where every card was before a swap, where it is after, and a short way between the two.
// The layout is final at once; only transforms move, and a press anywhere ends all flights first.

import { moverOf, placeAround } from './board.js';

const TIME = 180; // ms
const EASE = 'cubic-bezier(.2, .7, .3, 1)';

const flights = new Set();
let places = new Map(); // card, or face-down card by column and number -> {left, top, place}
let deal = null;

export const wantsMotion = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

function* movers() {
  for (const button of document.querySelectorAll('#board [data-card]')) yield [button.dataset.card, moverOf(button)];
  for (const column of document.querySelectorAll('#board [data-column]')) {
    for (let i = 0; column.children[i]?.classList.contains('down'); i += 1) yield [`${column.id}/${i}`, column.children[i]];
  }
}

function fly(element, keyframes, options) {
  const flight = element.animate(keyframes, { duration: TIME, easing: EASE, ...options });
  flights.add(flight);
  flight.onfinish = flight.oncancel = () => flights.delete(flight);
  return flight;
}

/** Fly from an offset to where the element lies; a far traveller flies above the others. */
export function flyFrom(element, dx, dy, isAbove) {
  if (!wantsMotion() || Math.abs(dx) + Math.abs(dy) < 1) return;
  const above = isAbove ? { zIndex: 60 } : {};
  fly(element, [{ transform: `translate(${dx}px, ${dy}px)`, ...above }, { transform: 'none', ...above }]);
}

function turn(button) {
  button.removeAttribute('data-flip');
  if (!wantsMotion()) return;
  button.setAttribute('data-turning', ''); // shows the back
  fly(button, [{ transform: 'none' }, { transform: 'scaleX(0)' }], { duration: TIME / 2, easing: 'ease-in' }).finished
    .then(() => fly(button, [{ transform: 'scaleX(0)' }, { transform: 'none' }], { duration: TIME / 2, easing: 'ease-out' }))
    .catch(() => {})
    .finally(() => button.removeAttribute('data-turning'));
}

/** End every flight, so that a press meets the cards where they are. */
export function endFlights() {
  const hadFlights = flights.size > 0;
  for (const flight of flights) flight.finish();
  return hadFlights;
}

export function rememberPlaces() {
  places = new Map();
  deal = document.querySelector('#table')?.dataset.code;
  if (!wantsMotion()) return;
  for (const [name, mover] of movers()) {
    const { left, top } = mover.getBoundingClientRect();
    places.set(name, { left, top, place: placeAround(mover)?.id });
  }
}

export function playFlights() {
  if (document.querySelector('#table')?.dataset.code === deal && places.size) {
    const ways = [];
    for (const [name, mover] of movers()) {
      const old = places.get(name);
      if (!old) continue;
      const { left, top } = mover.getBoundingClientRect();
      if (old.left !== left || old.top !== top) ways.push([mover, old.left - left, old.top - top, old.place !== placeAround(mover)?.id]);
    }
    for (const way of ways) flyFrom(...way);
  }
  for (const button of document.querySelectorAll('#board [data-flip]')) turn(button);
}
