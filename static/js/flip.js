// Flights: where every card was before a swap, where it is after, and a short way between the two.
// The layout is final at once and only transforms move; a press ends all flights first.

import { all, byId, moverOf, placeAround } from './board.js';

const TIME = 180; // ms

const flights = new Set();
let places = new Map(); // card -> {left, top, place} before the swap

const wantsMotion = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

function animate(element, frames, options) {
  const flight = element.animate(frames, { duration: TIME, easing: 'cubic-bezier(.2, .7, .3, 1)', ...options });
  flights.add(flight);
  flight.onfinish = flight.oncancel = () => flights.delete(flight);
  return flight.finished;
}

/** Fly from an offset to where the element lies now, above those that stay. */
export function flyFrom(element, x, y, isAbove = true) {
  if (!wantsMotion() || Math.abs(x) + Math.abs(y) < 1) return;
  // Only a flight that changes nothing but transforms needs no work of the page in each frame.
  element.classList.toggle('above', isAbove);
  animate(element, [{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }]).finally(() => element.classList.remove('above'));
}

/** A card turns over; while data-turning is set its back shows. */
async function turnOver(button) {
  button.removeAttribute('data-flip');
  if (!wantsMotion()) return;
  const [flat, edge] = [{ transform: 'none' }, { transform: 'scaleX(0)' }];
  button.setAttribute('data-turning', '');
  await animate(button, [flat, edge], { duration: TIME / 2, easing: 'ease-in' });
  button.removeAttribute('data-turning');
  await animate(button, [edge, flat], { duration: TIME / 2, easing: 'ease-out' });
}

/** End every flight, so that a press meets the cards where they are. True if there was one. */
export function endFlights() {
  const hadFlights = flights.size > 0;
  for (const flight of flights) flight.finish();
  return hadFlights;
}

function* movers() {
  for (const button of all('#board [data-card]')) {
    const mover = moverOf(button);
    const { left, top } = mover.getBoundingClientRect();
    yield { card: button.dataset.card, mover, left, top, place: placeAround(mover).id };
  }
}

export function rememberPlaces() {
  places = new Map(wantsMotion() ? Array.from(movers(), (at) => [at.card, at]) : []);
  places.deal = byId('table')?.dataset.code;
}

export function playFlights() {
  if (places.deal === byId('table')?.dataset.code) {
    // All is measured before anything is animated: one layout, not one for each card.
    for (const { card, mover, left, top, place } of [...movers()]) {
      const old = places.get(card);
      if (old) flyFrom(mover, old.left - left, old.top - top, old.place !== place);
    }
  }
  all('#board [data-flip]').forEach(turnOver);
}
