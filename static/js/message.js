// The message line. The server fills it; what only the page can know (no connection, a card picked
// up) comes from texts the server has put into its data attributes.

import { byId } from './board.js';

let leaving;

/** Show a text, or only say it to a screen reader. */
export function say(text, kind = 'toast') {
  const span = document.createElement('span');
  span.className = kind;
  span.textContent = text ?? '';
  byId('message')?.replaceChildren(span);
  watchMessage();
}

/** A text of the message line, its {names} filled in. */
export function phrase(key, values = {}) {
  return (byId('message')?.dataset[key] ?? '').replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export const clearMessage = () => document.querySelector('#message .toast')?.remove();

/** A visible message goes by itself, a longer one later. */
export function watchMessage() {
  const toast = document.querySelector('#message .toast');
  clearTimeout(leaving);
  if (toast && !toast.querySelector('button') && !toast.matches('.thinking')) leaving = setTimeout(() => toast.remove(), Math.min(4000 + 40 * toast.textContent.length, 9000));
}

/** A live region that came into the page filled is not read out: fill it again. */
export function repeatMessage() {
  const nodes = [...byId('message').childNodes];
  byId('message').replaceChildren();
  setTimeout(() => byId('message')?.append(...nodes), 50);
}
