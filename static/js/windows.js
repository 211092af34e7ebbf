// Dialogs where the browser lacks command buttons, sharing a deal, and calm after a win.

import { all, byId, listen, openWindow } from './board.js';
import { say } from './message.js';

/** What command="show-modal" does by itself in newer browsers. */
function runCommand(button) {
  const dialog = byId(button.getAttribute('commandfor'));
  if (button.getAttribute('command') === 'show-modal') dialog?.showModal();
  else dialog?.close();
}

/** Is this on the backdrop of the open window? */
function isOutside({ target, clientX: x, clientY: y }) {
  if (target !== openWindow()) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

/** Copy without the clipboard interface, which pages on plain http lack. */
function copyFromField(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.cssText = 'position:fixed;opacity:0';
  const focus = document.activeElement;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  focus.focus({ preventScroll: true });
  return isCopied;
}

async function share({ dataset }) {
  const url = location.origin + location.pathname;
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    const outcome = await navigator.share({ title: dataset.title, url }).catch((error) => error.name);
    if (!outcome || outcome === 'AbortError') return;
  }
  const isCopied = await navigator.clipboard?.writeText(url).then(() => true, () => false);
  // Where nothing can be copied, the message shows what there is to copy.
  say(isCopied || copyFromField(url) ? dataset.copied : url);
}

export const closeWindows = () => all('dialog[open]').forEach((dialog) => dialog.close());

export function startWindows() {
  let beganOutside = false;
  // What was changed and not saved is not shown the next time.
  addEventListener('close', ({ target }) => {
    target.querySelectorAll('form').forEach((form) => form.reset());
    target.querySelectorAll('details').forEach((details) => { details.open = false; });
  }, true);
  // What asks before a restart lies at the window's end.
  addEventListener('toggle', ({ target }) => target.matches('details[open]') && target.scrollIntoView({ block: 'nearest' }), true);
  const calm = () => byId('finish') && byId('board').setAttribute('data-calm', '');
  listen('keydown', calm);
  listen('pointerdown', (event) => {
    calm();
    beganOutside = isOutside(event);
  });
  listen('click', (event) => {
    // A selection dragged out of a field ends on the backdrop too, and closes nothing.
    if (beganOutside && isOutside(event)) return closeWindows();
    const button = event.target.closest('button');
    if (button?.dataset.action === 'share') return share(button);
    if (button?.hasAttribute('commandfor') && !('command' in button)) runCommand(button);
  });
}
