import { v7 as uuidv7 } from 'uuid';
import { forgetPresence, receivePresence } from '#app/components/live/presence.ts';
import { presenceReporter } from '#app/components/live/presence-reporter.ts';
import type { LiveTopic, RecentChanges } from '#server/screens/views.ts';

/** Browsers do not reconnect after an HTTP error. Reconnect with exponential backoff between these pauses, in ms. */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;
/** Time without an event after which a stream counts as broken, in ms. The server sends a heartbeat every 25 seconds. */
const SILENCE_MS = 60_000;
/**
 * Delay before the page refetches what has changed since it was rendered, in ms. Refetching at once would slow down the first click. A server
 * of the last release does not say what has changed, and after this time everything is refetched.
 */
const CATCH_UP_MS = 2_000;

/** Added to the time without a stream, in ms, for what was under way at its end. */
const MARGIN_MS = 2_000;
/** After this time everything may have changed, in ms: some lists change as time passes, without a message. */
const LONG_MS = 300_000;
const NOTHING_KNOWN: RecentChanges = { completeMs: 0, changedMs: {} };

/** Identifies this page to the server, which drops its presence when the stream closes. */
const PAGE_ID = uuidv7();

type Listener = { topic: LiveTopic; onChange: () => void };

const listeners = new Set<Listener>();
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let silence: ReturnType<typeof setTimeout> | undefined;
let refusals = 0;
let wasConnected = false;
/** Time of the last event, at first that of the page's request, in ms since the epoch. What has changed since then may be unknown. */
let heardAt = performance.timeOrigin;
/** This page stays connected while hidden, for notifications only. */
let staysConnected = false;
/** A hidden page did not notify its listeners of some changes. */
let hasMissed = false;
/** The server announces drafts only to pages that show their conversation, and this page was connected while hidden. */
let missesDrafts = false;

/**
 * Calls `onChange` when data of this topic has changed, or may have changed while disconnected. All listeners of a
 * page share one connection. Hidden pages have none, except for `listenWhileHidden`, because browsers allow only six
 * connections per host over HTTP/1.1. Returns the unsubscribe function.
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

/** Keeps this page connected while it is hidden. It then notifies listeners to `notifications` only. */
export function listenWhileHidden(stays: boolean): void {
  staysConnected = stays;
  if (listeners.size > 0) followVisibility();
}

function followVisibility(): void {
  if (isHidden() && !staysConnected) close();
  else open();
  if (isHidden()) missesDrafts ||= staysConnected;
  else if (hasMissed || missesDrafts) {
    const isAll = hasMissed;
    missesDrafts = false;
    notify((topic) => isAll || topic === 'draft');
  }
}

function isHidden(): boolean {
  return document.visibilityState === 'hidden';
}

function open(): void {
  if (source) return;
  clearTimeout(retry);
  const opened = new EventSource(`/live?page=${PAGE_ID}`);
  source = opened;
  expectEvents();
  const on = (event: string, react: (event: MessageEvent) => void) =>
    opened.addEventListener(event, (heard: MessageEvent) => {
      expectEvents();
      react(heard);
      heardAt = Date.now();
    });
  on('open', () => {
    refusals = 0;
    presenceReporter.connected(PAGE_ID);
    const isFirst = !wasConnected;
    const withoutStreamMs = Date.now() - heardAt;
    wasConnected = true;
    const catchUp = (recent = NOTHING_KNOWN) =>
      notify(
        // A change of access drops what was fetched, and the page was rendered a moment ago.
        (topic) => !(isFirst && topic === 'access') && mayHaveChanged(topic, recent, withoutStreamMs),
      );
    const timer = setTimeout(catchUp, CATCH_UP_MS);
    const onRecent = ({ data }: MessageEvent) => {
      clearTimeout(timer);
      setTimeout(catchUp, isFirst ? CATCH_UP_MS : 0, JSON.parse(data));
    };
    opened.addEventListener('recent', onRecent, { once: true });
  });
  on('heartbeat', () => undefined);
  on('missed', () => notify(() => true));
  on('changed', ({ data }) => notify((topic) => topic === data));
  on('presence', (event) => receivePresence(event.data));
  // This teammate has too many open pages. This page reconnects when it becomes visible again.
  on('enough', () => {
    opened.close();
    clearTimeout(silence);
  });
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    close();
    void leaveAfterSignOut();
    retry = setTimeout(open, Math.min(FIRST_PAUSE_MS * 2 ** refusals, MAX_PAUSE_MS));
    refusals += 1;
  });
}

/** Replaces a stream that stays silent, as after a change of network: the browser may take many minutes to notice. */
function expectEvents(): void {
  clearTimeout(silence);
  silence = setTimeout(() => {
    close();
    open();
  }, SILENCE_MS);
}

/**
 * Reloads the page when its session has ended, so that it shows nothing more and asks to sign in. Other refusals pass. A page that was
 * never connected, such as one that only sets up a second factor, stays.
 */
async function leaveAfterSignOut(): Promise<void> {
  if (!wasConnected) return;
  const response = await fetch('/live', { method: 'POST' }).catch(() => null);
  if (response?.status === 401) location.reload();
}

function close(): void {
  clearTimeout(retry);
  clearTimeout(silence);
  source?.close();
  source = undefined;
  presenceReporter.connected(null);
  forgetPresence();
}

/** Notifies the listeners of some topics. On a hidden page, all but those to `notifications` wait. */
function notify(isAbout: (topic: LiveTopic) => boolean): void {
  const waits = isHidden();
  hasMissed = waits;
  for (const { topic, onChange } of listeners) {
    if (isAbout(topic) && (!waits || topic === 'notifications')) onChange();
  }
}

/** Returns whether a topic may have changed while a page had no stream. `recent`: what the server knows at the end of that time. */
export function mayHaveChanged(
  topic: LiveTopic,
  { completeMs, changedMs }: RecentChanges,
  withoutStreamMs: number,
): boolean {
  const unheardMs = withoutStreamMs + MARGIN_MS;
  return unheardMs > LONG_MS || Math.min(completeMs, changedMs[topic] ?? completeMs) < unheardMs;
}
