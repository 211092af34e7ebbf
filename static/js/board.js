// What the markup says about the board, and the one state record of the page.
// Nothing here knows a rule: where a card may go is read from #state[data-places].

export const state = {
  held: null, // the selected card, "5H"
  press: null, // the pointer that is down: {id, type, x, y, card, place, lift, moved}
  lifts: [], // groups off their places: the one being dragged, and those dropped and not yet answered
  follow: null, // the card the focus goes with when the answer comes
  swaps: 0, // how often the board has changed
  epoch: 0, // raised when what is queued was meant for a board that is no longer true
};

export const listen = (type, handler, options) => document.addEventListener(type, handler, options);
export const byId = (id) => document.getElementById(id);
export const isOn = (setting) => byId('table')?.dataset[setting] === 'on';
export const cardButton = (card) => byId(`card-${card}`);
export const placeAround = (element) => element?.closest?.('[data-column], [data-foundation]');
export const placeName = (place) => place?.dataset.column ?? (place ? 'F' : null);
export const placeAt = (element) => placeName(placeAround(element) ?? element?.closest?.('.foundations'));
export const ownPlace = (card) => placeName(placeAround(cardButton(card)));
export const openWindow = () => document.querySelector('dialog[open]');

/** The element that moves when a card moves: its list item, on a foundation the button. */
export const moverOf = (button) => button.closest('li') ?? button;

/** The movers of a card and of all cards on it. */
export function groupOf(card) {
  const group = [];
  const button = cardButton(card);
  for (let mover = button && moverOf(button); mover; mover = mover.nextElementSibling) {
    group.push(mover);
    if (mover === button) break;
  }
  return group;
}

/** The names of the places a card can go to: column numbers and F. */
export function placesOf(card) {
  const entry = ` ${byId('state')?.dataset.places ?? ''}`.split(` ${card}:`)[1] ?? '';
  return [...entry.split(' ')[0]];
}

export const placeElement = (name, card) => byId(name === 'F' ? `foundation-${card[1]}` : `column-${name}`);

/** Light up the places of a card, and only those (Placement help). */
export function markPlaces(card) {
  const legal = new Set(card && isOn('help') ? placesOf(card).map((name) => placeElement(name, card)) : []);
  for (const place of document.querySelectorAll('[data-legal]')) if (!legal.has(place)) place.removeAttribute('data-legal');
  for (const place of legal) place?.setAttribute('data-legal', '');
}

/** Select a card and what lies on it; null lets go. */
export function hold(card) {
  for (const old of document.querySelectorAll('#board .held')) old.classList.remove('held');
  for (const old of document.querySelectorAll('#board [aria-pressed]')) old.removeAttribute('aria-pressed');
  const button = card && cardButton(card);
  state.held = button ? card : null;
  if (button) {
    button.setAttribute('aria-pressed', 'true');
    for (const mover of groupOf(card)) mover.classList.add('held');
  }
  markPlaces(state.held);
}
