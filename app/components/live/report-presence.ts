/** Minimum interval between two reports, in ms. */
const PAUSE_MS = 500;
/** Interval of reports while the user types, in ms. */
const TYPING_REPEAT_MS = 4_000;
/** Time after the last key at which the user no longer types, in ms. */
const TYPING_ENDS_MS = 5_000;
/** Interval of reports of a page that stays open, in ms. The server forgets pages that are suspended. */
const REPEAT_MS = 30_000;

let opened: string | null = null;
let isTyping = false;
/** Id of the open stream's page. The server knows a page as long as its stream is open. */
let page: string | null = null;
let sentAt = Number.NEGATIVE_INFINITY;
let timer: ReturnType<typeof setTimeout> | undefined;
let typingEnd: ReturnType<typeof setTimeout> | undefined;

/** Reports a conversation as open until the returned function is called. */
export function reportOpen(conversationId: string): () => void {
  setOpened(conversationId);
  const repeat = setInterval(reportSoon, REPEAT_MS);
  document.addEventListener('visibilitychange', reportSoon);
  return () => {
    clearInterval(repeat);
    document.removeEventListener('visibilitychange', reportSoon);
    if (opened === conversationId) setOpened(null);
  };
}

/** Reports that the user types in the open conversation. Call it with each change of a text. */
export function reportTyping(): void {
  clearTimeout(typingEnd);
  typingEnd = setTimeout(reportTypingEnd, TYPING_ENDS_MS);
  if (isTyping && performance.now() - sentAt < TYPING_REPEAT_MS) return;
  isTyping = true;
  reportSoon();
}

/** Reports that the user has sent or cleared the text. */
export function reportTypingEnd(): void {
  clearTimeout(typingEnd);
  if (!isTyping) return;
  isTyping = false;
  reportSoon();
}

/** Reports to the stream of this page from now on. Null: the stream is closed. */
export function reportTo(connected: string | null): void {
  page = connected;
  if (page !== null && opened !== null) reportSoon();
}

function setOpened(conversationId: string | null): void {
  opened = conversationId;
  isTyping = false;
  clearTimeout(typingEnd);
  reportSoon();
}

function reportSoon(): void {
  if (timer !== undefined) return;
  timer = setTimeout(report, Math.max(0, sentAt + PAUSE_MS - performance.now()));
}

function report(): void {
  timer = undefined;
  if (page === null) return;
  sentAt = performance.now();
  const conversationId = document.visibilityState === 'hidden' ? null : opened;
  const body = JSON.stringify({
    page,
    conversationId,
    isTyping: conversationId !== null && isTyping,
  });
  // A lost report is repeated.
  fetch('/live', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(
    () => undefined,
  );
}
