// Help. A question runs beside the game: what the player does meanwhile ends it, and an answer about a
// board that is gone is dropped. Show me plays on, move by move, until a press or a key stops it.

import { all, byId, groupOf, listen, placeElement } from './board.js';
import { phrase, say } from './message.js';

const PATIENCE = 300; // ms before the player is told that it takes a while
const PAUSE = 750; // ms between two moves that are shown

let question = null; // the one that has no answer yet
let patience;
let isSwallowed = false; // the click that follows the press which stopped the show
let showing = null; // while moves are shown: the timer of the next one; -1 before the first

/** Does a request leave the board alone? */
export const isBeside = ({ ask, isMove }) => ask && !isMove;

/** The player does something else. */
export function endQuestion() {
  if (question) {
    question.isEnded = true;
    question.request.abort();
  }
  question = null;
}

/** A question sets out. The light asks for itself, and nobody waits for it. */
export function beginQuestion(ctx) {
  if (ctx.ask === 'light' || showing > 0) return;
  endQuestion();
  question = ctx;
  clearTimeout(patience);
  patience = setTimeout(() => question === ctx && say(phrase('thinking'), 'toast thinking'), PATIENCE);
}

/** A question is over, with an answer or without. */
export function settleQuestion(ctx) {
  if (question !== ctx && !ctx.isEnded) return;
  if (question === ctx) question = null;
  document.querySelector('#message .thinking')?.remove();
}

export function clearHint() {
  for (const mover of all('.hinted')) mover.classList.remove('hinted');
  document.querySelector('[data-hinted]')?.removeAttribute('data-hinted');
}

/** Mark the group that a hint proposes to move, and where to. */
export function markHint() {
  clearHint();
  const { hintCard, hintTo } = document.querySelector('#message [data-hint-card]')?.dataset ?? {};
  if (!hintCard) return;
  for (const mover of groupOf(hintCard)) mover.classList.add('hinted');
  placeElement(hintTo, hintCard)?.setAttribute('data-hinted', '');
}

function stopShowing() {
  clearTimeout(showing);
  showing = null;
  document.querySelector('#message .watch')?.remove();
  // A line that is still sought can be given up. A move that is under way is waited for.
  if (question?.ask === 'show') endQuestion();
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * What stops the show is meant for nothing else, unless it is for something beside the board, or nothing has been shown
 * yet: then the player just plays on. True if it was meant for nothing else.
 */
function stopWith(event, isOnBoard) {
  const isOnlyThat = showing > 0 && Boolean(isOnBoard);
  if (showing) stopShowing();
  if (isOnlyThat) swallow(event);
  return isOnlyThat;
}

/** A move has been shown: go on, unless it was the last one or there was none. */
export function goOnShowing(ctx) {
  if (!showing) return;
  if (ctx.rev === byId('state').dataset.rev || byId('finish')) return stopShowing();
  const watch = document.createElement('span');
  watch.className = 'toast watch';
  watch.ariaHidden = 'true'; // what each move does is told beside it
  watch.textContent = phrase('showing');
  byId('message').append(watch);
  showing = setTimeout(() => document.querySelector('[data-ask=show]').click(), PAUSE);
}

export function startAdvice() {
  listen('click', ({ target }) => {
    const ask = target.closest('[data-ask]');
    if (!ask) return;
    ask.closest('dialog')?.close();
    if (ask.dataset.ask === 'show') showing ??= -1;
  }, true);
  listen('pointerdown', (event) => {
    isSwallowed = stopWith(event, event.target.closest('#board'));
  }, true);
  listen('keydown', (event) => stopWith(event, event.key !== 'Tab'), true);
  listen('click', (event) => {
    if (isSwallowed && event.target.closest('#board')) swallow(event);
    isSwallowed = false;
  }, true);
}
