import type { LiveTopic } from '#server/screens/views.ts';

/** The browser does not retry after a refusal. We do, after these pauses in milliseconds: the first and the longest. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

type Listener = { topic: LiveTopic; onChange: () => void };

const listeners = new Set<Listener>();
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let refusals = 0;

/**
 * Calls `onChange` when something of this kind has changed, or may have while the page was not connected. All of a page
 * share one connection, and a hidden page has none: browsers open only six to a host. Returns how to stop.
 */
export function listenTo(topic: LiveTopic, onChange: () => void): () => void {
  const listener = { topic, onChange };
  if (listeners.size === 0) document.addEventListener('visibilitychange', followVisibility);
  listeners.add(listener);
  followVisibility();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', followVisibility);
    close();
  };
}

function followVisibility(): void {
  if (document.visibilityState === 'hidden') close();
  else open();
}

function open(): void {
  if (source) return;
  clearTimeout(retry);
  const opened = new EventSource('/live');
  source = opened;
  // What happened since the page was made, or while it was not connected, did not arrive: so at each connection.
  opened.addEventListener('open', () => {
    refusals = 0;
    notify();
  });
  opened.addEventListener('missed', () => notify());
  opened.addEventListener('changed', (event) => notify(event.data));
  // Too many pages of this teammate are open. This one listens again when it is looked at again.
  opened.addEventListener('enough', () => opened.close());
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    close();
    retry = setTimeout(open, Math.min(FIRST_PAUSE_MS * 2 ** refusals, LONGEST_PAUSE_MS));
    refusals += 1;
  });
}

function close(): void {
  clearTimeout(retry);
  source?.close();
  source = undefined;
}

/** Notifies the listeners of a topic, or all of them. */
function notify(topic?: string): void {
  for (const listener of listeners) if (topic === undefined || topic === listener.topic) listener.onChange();
}
