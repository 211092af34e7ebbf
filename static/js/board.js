// What the markup says about the board, and the one state record of the page.
// Nothing here knows a rule: where a card may go is read from #state[data-places].

export const state = {
  held: null, // the selected card, "5H"
  press: null, // the pointer that is down, see drag.js
  lifts: [], // groups off their places: dragged, or dropped and waiting for the answer
  follow: null, // the card the focus goes with when the answer comes
  swaps: 0, // how often the board has changed
  epoch: 0, // raised when what is queued was meant for a board that is no longer true
};

export const listen = (type, handler, options) => document.addEventListener(type, handler, options);
export const byId = (id) => document.getElementById(id);
export const all = (selector) => [...document.querySelectorAll(selector)];
export const isOn = (setting) => byId('table')?.dataset[setting] === 'on';
export const cardButton = (card) => byId(`card-${card}`);
export const placeAround = (element) => element?.closest?.('[data-column], [data-foundation]');
export const placeElement = (name, card) => byId(name === 'F' ? `foundation-${card[1]}` : `column-${name}`);
export const openWindow = () => document.querySelector('dialog[open]');

/** The name of the place an element belongs to: a column's number, F, or null. */
export function placeName(element) {
  return placeAround(element)?.dataset.column ?? (element?.closest?.('.foundations') ? 'F' : null);
}

/** What moves when a card moves: its list item, on a foundation the button. */
export const moverOf = (button) => button.closest('li') ?? button;

/** The movers of a card and of all cards on it. */
export function groupOf(card) {
  const button = cardButton(card);
  if (!button) return [];
  const group = [moverOf(button)];
  while (group[0] !== button && group.at(-1).nextElementSibling) group.push(group.at(-1).nextElementSibling);
  return group;
}

/** The names of the places a card can go to. */
export function placesOf(card) {
  const entry = ` ${byId('state')?.dataset.places}`.split(` ${card}:`)[1] ?? '';
  return [...entry.split(' ')[0]];
}

/** Light up the places of a card, and only those (Placement help). */
export function markPlaces(card) {
  const legal = card && isOn('help') ? placesOf(card).map((name) => placeElement(name, card)) : [];
  for (const place of all('[data-legal]')) if (!legal.includes(place)) place.removeAttribute('data-legal');
  for (const place of legal) place?.setAttribute('data-legal', '');
}

/** Select a card and what lies on it; null lets go. */
export function hold(card) {
  for (const old of all('#board .held')) old.classList.remove('held');
  for (const old of all('#board [aria-pressed]')) old.removeAttribute('aria-pressed');
  state.held = card && cardButton(card) ? card : null;
  if (state.held) {
    cardButton(card).setAttribute('aria-pressed', 'true');
    for (const mover of groupOf(card)) mover.classList.add('held');
  }
  markPlaces(state.held);
}
