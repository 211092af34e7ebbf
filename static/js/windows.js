// Dialogs where the browser lacks command buttons, sharing a deal, and the end of the win's flourish.

import { byId, listen, openWindow } from './board.js';
import { say } from './message.js';

const isNative = 'commandForElement' in HTMLButtonElement.prototype;

/** What command="show-modal" and command="close" do by themselves in newer browsers. */
function runCommand(button) {
  const dialog = byId(button.getAttribute('commandfor'));
  const command = button.getAttribute('command');
  if (!(dialog instanceof HTMLDialogElement)) return;
  if (command === 'show-modal' && !dialog.open) dialog.showModal();
  if (command === 'close' || command === 'request-close') dialog.close();
}

function isOutside(dialog, { clientX, clientY }) {
  const box = dialog.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

/** Copy without the clipboard interface, which pages on plain http lack. */
function copyBySelection(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.cssText = 'position:fixed;opacity:0';
  const focus = document.activeElement;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  focus?.focus({ preventScroll: true });
  return isCopied;
}

async function share(button) {
  const url = new URL(button.dataset.url ?? location.pathname, location.href).href;
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    try {
      return await navigator.share({ title: document.title, url });
    } catch (error) {
      if (error.name === 'AbortError') return undefined;
    }
  }
  const isCopied = await navigator.clipboard?.writeText(url).then(() => true, () => false);
  // Where nothing can be copied the message itself shows what to copy.
  return say(isCopied || copyBySelection(url) ? button.dataset.copied : url);
}

/** Close the window a request came from, and every window once a new deal lies on the table. */
export function closeWindows() {
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
}

export function startWindows() {
  let pressedOutside = false;
  listen('pointerdown', (event) => {
    const dialog = openWindow();
    pressedOutside = Boolean(dialog) && event.target === dialog && isOutside(dialog, event);
    byId('finish')?.setAttribute('data-calm', '');
  }, true);
  listen('keydown', () => byId('finish')?.setAttribute('data-calm', ''), true);
  listen('click', (event) => {
    const dialog = openWindow();
    // Pressed and let go on the backdrop: a selection dragged out of a field doesn't close it.
    if (dialog && event.target === dialog && pressedOutside && isOutside(dialog, event)) return dialog.close();
    const button = event.target.closest?.('button');
    if (!button) return undefined;
    if (button.dataset.action === 'share') return share(button);
    if (!isNative && button.hasAttribute('commandfor')) return runCommand(button);
    return undefined;
  });
}
