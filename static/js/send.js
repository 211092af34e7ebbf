// The one road to the server: fill the form #play and submit it; htmx posts it, one request at a
// time (hx-sync), and swaps what comes back. What is queued was meant for the board the player saw
// when queueing it: after a stale or lost answer it is dropped instead of hitting another board.

import { byId, listen, state } from './board.js';
import { clearMessage, phrase, say } from './message.js';
import { settleTime, takeTime } from './clock.js';

const PATIENCE = 5000; // ms without an answer
const FIRST_RETRY = 2000;
const LAST_RETRY = 30000;

let sending = null; // the lift that goes with the form just being submitted
let retryTimer = null;
let retryDelay = FIRST_RETRY;

/** The address beside the form's own: "move" becomes "clock", "" the page itself. */
export function addressOf(verb) {
  const path = byId('play').getAttribute('action').replace(/\/[^/]*$/, '');
  return verb ? `${path}/${verb}` : path;
}

/** Send a card to a place: a column number, F or auto. The lift is what stays where it was dropped. */
export function send(card, to, lift = null) {
  const form = byId('play');
  const fields = [form.querySelector('[name=card]'), form.querySelector('[name=to]')];
  [fields[0].value, fields[1].value] = [card, to];
  clearMessage();
  state.follow = card;
  sending = lift;
  form.requestSubmit(); // htmx reads the fields before this returns
  sending = null;
  for (const field of fields) field.value = '';
}

/** Is a move of this card under way or queued? */
export const isSent = (card) => waiting.has(card);
const waiting = new Set();

/** Bring the board as the server knows it. */
export function refresh() {
  clearTimeout(retryTimer);
  retryTimer = null;
  const form = byId('play');
  if (form) htmx.ajax('GET', addressOf(''), { source: form, target: '#table', swap: 'outerHTML' });
}

function dropQueue() {
  state.epoch += 1;
  waiting.clear();
}

/** No answer: say so, forget what was queued, and look for the board until it comes. */
function lose(ctx, isLate) {
  ctx.isLost = true;
  dropQueue();
  const isRefresh = ctx.request.method === 'GET';
  if (!isRefresh) say(phrase(isLate ? 'late' : 'offline'));
  clearTimeout(retryTimer);
  retryTimer = setTimeout(() => document.visibilityState === 'visible' && refresh(), retryDelay);
  retryDelay = isRefresh ? Math.min(retryDelay * 2, LAST_RETRY) : FIRST_RETRY;
}

/** fetch that answers 204 (nothing to swap) instead of throwing, so a lost connection is no script error. */
async function fetchOrLose(ctx, address, request) {
  try {
    const response = await fetch(address, request);
    return response.status === 204 ? response : new Response(await response.text(), response);
  } catch {
    lose(ctx, request.signal.reason === 'timeout');
    return new Response(null, { status: 204 });
  }
}

function onConfigure({ detail: { ctx } }) {
  const { request } = ctx;
  ctx.epoch = state.epoch;
  ctx.table = byId('table');
  ctx.isGame = ctx.sourceElement === byId('play') || ctx.sourceElement.form === byId('play');
  request.timeout ??= PATIENCE;
  if (request.method === 'GET') return void (request.body = new FormData()); // no fields in a refresh's address
  if (!ctx.isGame) return;
  ctx.card = request.body.get('card');
  ctx.lift = sending;
  if (ctx.lift) ctx.lift.isSent = true;
  if (ctx.card) waiting.add(ctx.card);
  else clearMessage();
}

function onRequest(event) {
  const { ctx } = event.detail;
  if (ctx.epoch !== state.epoch || ctx.table !== byId('table')) return event.preventDefault();
  ctx.fetch = (address, request) => fetchOrLose(ctx, address, request);
  if (!ctx.isGame || ctx.request.method === 'GET') return;
  // The body was built when the request was queued; these two are of now.
  ctx.request.body.set('rev', byId('state')?.dataset.rev ?? '0');
  ctx.request.body.set('visible', takeTime());
}

function onResponse(event) {
  const { ctx } = event.detail;
  const { status } = ctx.response;
  const isRefresh = ctx.isGame && ctx.request.method === 'GET';
  if (!ctx.isLost && (status >= 500 || (isRefresh && status !== 200))) lose(ctx, true);
  // An answer about a board that has been replaced meanwhile must not touch the new one.
  if (ctx.isLost || ctx.table !== byId('table')) return event.preventDefault();
  if (status === 409) dropQueue();
  clearTimeout(retryTimer);
  retryDelay = FIRST_RETRY;
  settleTime(status < 400);
}

/** Wire the road; `finish(ctx)` is told when a request is over, however it ended. */
export function startSending(finish) {
  listen('htmx:config:request', onConfigure);
  listen('htmx:before:request', onRequest);
  listen('htmx:before:response', onResponse);
  listen('htmx:error', ({ detail: { ctx } }) => ctx && !ctx.isLost && lose(ctx, false));
  listen('htmx:finally:request', ({ detail: { ctx } }) => {
    waiting.delete(ctx.card);
    finish(ctx);
  });
  addEventListener('online', refresh);
  addEventListener('pageshow', (event) => event.persisted && refresh());
  listen('visibilitychange', () => document.visibilityState === 'visible' && retryDelay !== FIRST_RETRY && refresh());
}
