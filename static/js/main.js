// The page's one script. Everything listens on the document, so an answer may replace any part of the
// page; here is in which order the parts see a swap.

import { goOnShowing, isBeside, markHint, startAdvice } from './advice.js';
import { byId, hold, listen, state } from './board.js';
import { readClock, startClock } from './clock.js';
import { cancelPress, resumePress, startDragging } from './drag.js';
import { playFlights, rememberPlaces } from './flip.js';
import { rememberFocus, restoreFocus, startKeys } from './keys.js';
import { putDown } from './lift.js';
import { repeatMessage, watchMessage } from './message.js';
import { addressOf, dropQueue, startSending } from './send.js';
import { closeWindows, startWindows } from './windows.js';

let table = null; // the table before the swap under way

function beforeSwap({ detail: { ctx } }) {
  table = byId('table');
  if (isBeside(ctx) && ctx.response.status !== 409) return;
  rememberPlaces();
  rememberFocus();
}

function afterSwap({ detail: { ctx } }) {
  const current = byId('table');
  if (isBeside(ctx) && table === current) {
    watchMessage();
    if (ctx.ask !== 'light') markHint();
    return;
  }
  state.swaps += 1;
  if (table !== current) {
    dropQueue();
    state.lifts = state.lifts.filter((lift) => !lift.isSent); // they fly home with the new board
  }
  if (table?.dataset.code !== current.dataset.code) {
    // Another deal has the same cards: nothing of the old one may go on in it.
    cancelPress();
    state.lifts = [];
    state.held = null;
  }
  hold(state.held);
  resumePress(ctx.lift);
  playFlights();
  restoreFocus();
  state.follow = null;
  readClock();
  for (const name of ['undo', 'redo']) {
    document.querySelector(`[data-action=${name}]`).setAttribute('aria-disabled', byId('state').dataset[name] === '0');
  }
  watchMessage();
  if (table !== current) repeatMessage();
  if (ctx.response?.status < 400 && ctx.sourceElement.closest('dialog')) closeWindows();
  if (ctx.ask === 'show') goOnShowing(ctx);
}

startSending((ctx) => ctx.lift && putDown(ctx.lift));
startAdvice(); // before the others: a press that only stops what is shown is none of theirs
startDragging();
startKeys();
startWindows();
startClock(addressOf);
listen('htmx:before:swap', beforeSwap);
listen('htmx:after:swap', afterSwap);
// A card that the server shows as picked (it was picked without script) is held here too.
hold(document.querySelector('#board [aria-pressed]')?.dataset.card ?? null);
