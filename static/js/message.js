// The message line. The server fills it with its answers; what only the browser can know (no
// connection, a picked-up card) comes from texts the server has put in data attributes.

import { byId } from './board.js';

let timer;

/** Show a text, or only say it to a screen reader. */
export function say(text, isVisible = true) {
  const line = byId('message');
  if (!line || !text) return;
  const span = document.createElement('span');
  span.className = isVisible ? 'toast' : 'said';
  span.textContent = text;
  line.replaceChildren(span);
  watchMessage();
}

/** Fill the {names} of a text kept in a data attribute of the message line. */
export function phrase(key, values = {}) {
  const text = byId('message')?.dataset[key];
  return text?.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** A visible message goes by itself, a longer one later. */
export function watchMessage() {
  const toast = document.querySelector('#message .toast');
  clearTimeout(timer);
  if (toast) timer = setTimeout(() => toast.remove(), Math.min(4000 + 40 * toast.textContent.length, 10000));
}

export function clearMessage() {
  document.querySelector('#message .toast')?.remove();
}

/** A live region that came into the page already filled is not read out: fill it again. */
export function repeatMessage() {
  const line = byId('message');
  const nodes = [...(line?.childNodes ?? [])];
  if (!nodes.length) return;
  line.replaceChildren();
  setTimeout(() => line.replaceChildren(...nodes), 50);
}
