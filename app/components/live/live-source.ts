import { v7 as uuidv7 } from 'uuid';
import { forgetPresence, receivePresence } from '#app/components/live/presence.ts';
import { presenceReporter } from '#app/components/live/presence-reporter.ts';
import type { LiveTopic } from '#server/screens/views.ts';

/** Browsers do not reconnect after an HTTP error. Reconnect with exponential backoff between these pauses, in ms. */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;
/**
 * Delay of the first notification, in ms. The page was rendered just before it connects, and refetching everything would slow
 * down the first click.
 */
const FIRST_NOTIFICATION_MS = 2_000;

/** Identifies this page to the server, which drops its presence when the stream closes. */
const PAGE_ID = uuidv7();

type Listener = { topic: LiveTopic; onChange: () => void };

const listeners = new Set<Listener>();
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let refusals = 0;
let wasConnected = false;
/** This page stays connected while hidden, for notifications only. */
let staysConnected = false;
/** A hidden page did not notify its listeners of some changes. */
let hasMissed = false;

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
  if (!isHidden() && hasMissed) notify();
}

function isHidden(): boolean {
  return document.visibilityState === 'hidden';
}

function open(): void {
  if (source) return;
  clearTimeout(retry);
  const opened = new EventSource(`/live?page=${PAGE_ID}`);
  source = opened;
  // Events before the connection, or during an outage, are lost. So notify at each connect.
  opened.addEventListener('open', () => {
    refusals = 0;
    presenceReporter.connected(PAGE_ID);
    if (wasConnected) notify();
    // A change of access refetches everything, and the page was rendered a moment ago.
    else setTimeout(() => notify(undefined, 'access'), FIRST_NOTIFICATION_MS);
    wasConnected = true;
  });
  opened.addEventListener('missed', () => notify());
  opened.addEventListener('changed', (event) => notify(event.data));
  opened.addEventListener('presence', (event) => receivePresence(event.data));
  // This teammate has too many open pages. This page reconnects when it becomes visible again.
  opened.addEventListener('enough', () => opened.close());
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    close();
    void leaveAfterSignOut();
    retry = setTimeout(open, Math.min(FIRST_PAUSE_MS * 2 ** refusals, MAX_PAUSE_MS));
    refusals += 1;
  });
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
  source?.close();
  source = undefined;
  presenceReporter.connected(null);
  forgetPresence();
}

/** Notifies the listeners of a topic, or all of them, except those of one topic. On a hidden page, all but those to `notifications` wait. */
function notify(topic?: string, except?: LiveTopic): void {
  const waits = isHidden();
  hasMissed = waits;
  for (const listener of listeners) {
    if (listener.topic === except || (topic !== undefined && topic !== listener.topic)) continue;
    if (!waits || listener.topic === 'notifications') listener.onChange();
  }
}
