// The page's one script. Everything listens on the document, so that answers may replace any part of
// the page; this module says in which order the parts see a swap.

import { byId, hold, listen, state } from './board.js';
import { readClock, startClock } from './clock.js';
import { cancelPress, putDown, resumeLifts, startDragging } from './drag.js';
import { playFlights, rememberPlaces } from './flip.js';
import { rememberFocus, restoreFocus, startKeys } from './keys.js';
import { repeatMessage, watchMessage } from './message.js';
import { addressOf, startSending } from './send.js';
import { closeWindows, startWindows } from './windows.js';

let table = null; // the table and its deal before the swap under way
let code = null;

function beforeSwap() {
  table = byId('table');
  code = table?.dataset.code;
  rememberPlaces();
  rememberFocus();
}

function afterSwap({ detail: { ctx } }) {
  const isNewTable = table !== byId('table');
  state.swaps += 1;
  if (code !== byId('table')?.dataset.code) {
    // Another deal has the same cards: nothing of the old one may go on in it.
    cancelPress();
    state.lifts = [];
    state.held = null;
  }
  hold(state.held);
  resumeLifts(ctx.lift);
  playFlights();
  restoreFocus();
  state.follow = null;
  readClock();
  watchMessage();
  if (isNewTable) repeatMessage();
  if (ctx.response?.status < 400 && (isNewTable || ctx.sourceElement.closest?.('dialog'))) closeWindows();
}

function afterRequest(ctx) {
  if (ctx.lift) putDown(ctx.lift);
}

startSending(afterRequest);
startDragging();
startKeys();
startWindows();
startClock(addressOf);
listen('htmx:before:swap', beforeSwap);
listen('htmx:after:swap', afterSwap);
// A card that the server has marked as picked (a page without script) is held here too.
const picked = document.querySelector('#board [data-card][aria-pressed="true"]');
if (picked) hold(picked.dataset.card);
