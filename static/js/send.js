// The one road to the server: fill the form #play and submit it; htmx posts it, one request at a
// time, and swaps what comes back. What is queued was meant for the board the player saw then: after
// a stale or lost answer it is dropped, never tried on another board.

import { beginQuestion, clearHint, endQuestion, isBeside, settleQuestion } from './advice.js';
import { byId, hold, listen, openWindow, state } from './board.js';
import { report, settleTime, takeTime, tellTime } from './clock.js';
import { clearMessage, phrase, say } from './message.js';

const FIRST_RETRY = 2000; // ms
const LAST_RETRY = 30000;
const IS_OURS = /<(hx-partial|div id="table")/; // what every answer of the server holds

const waiting = new Set(); // cards whose move is queued or under way
let sentLift = null; // what goes with the form just being submitted
let isBehind = false; // an answer was lost: the board may have changed
let retryTimer;
let retryDelay = FIRST_RETRY;

export const isSent = (card) => waiting.has(card);

/** An address beside the form's own, which knows the server's path prefix: /play/CODE/clock. */
export const addressOf = (verb) => byId('play').getAttribute('action').replace(/\/move$/, verb);

/** Send a card to a place: a column's number, F or auto. The lift stays where it was dropped meanwhile. */
export function send(card, to, lift = null) {
  const fields = ['card', 'to'].map((name) => byId('play').querySelector(`[name=${name}]`));
  [fields[0].value, fields[1].value] = [card, to];
  state.follow = card;
  sentLift = lift;
  byId('play').requestSubmit(); // htmx has read the fields when this returns
  sentLift = null;
  for (const field of fields) field.value = '';
}

/** Bring the board as the server knows it; not while a window is open, which would go with the old one. */
export async function refresh() {
  clearTimeout(retryTimer);
  if (openWindow()) {
    retryTimer = setTimeout(refresh, FIRST_RETRY);
    return;
  }
  await tellTime(addressOf('/clock'));
  htmx.ajax('GET', addressOf(''), { source: '#play', target: '#table', swap: 'outerHTML' });
}

/** What is queued was meant for a board that is no longer there. */
export function dropQueue() {
  state.epoch += 1;
  waiting.clear();
}

/** No answer: say so, forget what was queued, ask for the board until it comes. */
function lose(ctx, text) {
  ctx.isLost = true;
  if (isBeside(ctx)) {
    if (ctx.ask !== 'light') say(phrase(text));
    return;
  }
  const note = ctx.sourceElement.closest('dialog form')?.querySelector('[role=alert]');
  if (note) {
    note.textContent = phrase(text); // the table's own message lies behind the window
    return;
  }
  dropQueue();
  isBehind = true;
  const isRefresh = ctx.request.method === 'GET';
  if (!isRefresh) say(phrase(text));
  retryDelay = isRefresh ? Math.min(retryDelay * 2, LAST_RETRY) : FIRST_RETRY;
  clearTimeout(retryTimer);
  retryTimer = setTimeout(refresh, retryDelay);
}

/** What the player did is on the screen: on a slow machine setting out takes as long as showing that. */
const painted = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 50); // no frames come while the page is out of view
});

/** A fetch that doesn't throw, so that a lost connection is no script error. */
async function fetchOrLose(ctx, request) {
  try {
    const response = await fetch(ctx.request.action, request);
    if (response.status === 204) return response;
    const text = await response.text();
    if (IS_OURS.test(text)) return new Response(text, response);
    lose(ctx, 'late'); // a proxy or a login page has answered in the server's place
    return new Response(null, { status: 204 });
  } catch {
    if (!ctx.isEnded) lose(ctx, request.signal.reason === 'timeout' ? 'late' : 'offline');
    return new Response(null, { status: 204 });
  }
}

function onConfigure({ detail: { ctx } }) {
  const { ask } = ctx.sourceElement.dataset;
  const isGame = ctx.sourceElement === byId('play') || ctx.sourceElement.form === byId('play');
  const isPost = ctx.request.method === 'POST';
  Object.assign(ctx, { epoch: state.epoch, table: byId('table'), ask, isMove: isGame && isPost && (!ask || ask === 'show') });
  // What has to be searched for takes its time: the server sees to it that it isn't too long.
  ctx.request.timeout ??= ask || ctx.sourceElement.closest('dialog form') ? 60000 : 5000;
  if (!isPost) ctx.request.body = new FormData(); // a refresh needs no fields in its address
  if (ctx.isMove) endQuestion();
  if (ask) beginQuestion(ctx);
  if (!ctx.isMove) return;
  clearHint();
  ctx.card = ctx.request.body.get('card');
  ctx.lift = sentLift;
  if (ctx.lift) ctx.lift.isSent = true;
  if (ctx.card) waiting.add(ctx.card);
  if (ctx.card === state.held) hold(null);
  if (!ctx.sourceElement.closest('#message')) clearMessage(); // htmx drops an answer whose button is gone
}

function onRequest(event) {
  const { ctx } = event.detail;
  if (ctx.epoch !== state.epoch || ctx.table !== byId('table')) return event.preventDefault();
  ctx.fetch = async (_, request) => {
    await painted();
    return fetchOrLose(ctx, request);
  };
  ctx.rev = byId('state').dataset.rev;
  if (isBeside(ctx)) {
    ctx.request.body.set('rev', ctx.rev);
    return;
  }
  if (!ctx.isMove) {
    if (ctx.request.method === 'POST') report(addressOf('/clock')); // it may lead to another deal
    return;
  }
  // The body was made when the request was queued; these two are of now.
  ctx.request.body.set('rev', ctx.rev);
  ctx.request.body.set('visible', takeTime());
}

function onResponse(event) {
  const { ctx } = event.detail;
  const { status } = ctx.response;
  if (!ctx.isLost && (status >= 500 || (ctx.request.method === 'GET' && status !== 200))) lose(ctx, 'late');
  // What answers for a board that has been replaced meanwhile must not touch the new one.
  if (ctx.isLost || ctx.isEnded || ctx.table !== byId('table')) return event.preventDefault();
  if (isBeside(ctx) && status !== 409 && (ctx.rev !== byId('state').dataset.rev || (ctx.ask === 'light' && status >= 400))) return event.preventDefault();
  if (status === 409) dropQueue();
  clearTimeout(retryTimer);
  retryDelay = FIRST_RETRY;
  if (ctx.request.method === 'GET' || status === 409) isBehind = false;
  if (ctx.isMove && status < 400) settleTime();
}

/** Wire the road. `finish(ctx)` hears when a request is over, however it ended. */
export function startSending(finish) {
  listen('htmx:config:request', onConfigure);
  listen('htmx:before:request', onRequest);
  listen('htmx:before:response', onResponse);
  listen('htmx:finally:request', ({ detail: { ctx } }) => {
    waiting.delete(ctx.card);
    settleQuestion(ctx);
    finish(ctx);
  });
  addEventListener('online', () => isBehind && refresh());
  addEventListener('pageshow', (event) => event.persisted && refresh());
}
