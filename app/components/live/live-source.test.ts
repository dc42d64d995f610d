import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenTo, listenWhileHidden, mayHaveChanged } from '#app/components/live/live-source.ts';

const RECENT = { completeMs: 3_600_000, changedMs: { conversations: 10_000 } };

test('a topic without a change while there was no stream is up to date', () => {
  expect(mayHaveChanged('conversations', RECENT, 7_000)).toBe(false);
  expect(mayHaveChanged('notifications', RECENT, 60_000)).toBe(false);
});

test('a topic may have changed if it did meanwhile, or shortly before', () => {
  expect(mayHaveChanged('conversations', RECENT, 20_000)).toBe(true);
  expect(mayHaveChanged('conversations', RECENT, 9_000)).toBe(true);
});

test('everything may have changed if the server heard of no changes, or after a long or unknown time', () => {
  expect(mayHaveChanged('channels', { completeMs: 500, changedMs: {} }, 1_000)).toBe(true);
  expect(mayHaveChanged('channels', { completeMs: 0, changedMs: {} }, 0)).toBe(true);
  expect(mayHaveChanged('channels', RECENT, 301_000)).toBe(true);
  expect(mayHaveChanged('channels', RECENT, Number.POSITIVE_INFINITY)).toBe(true);
});

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  constructor() {
    super();
    sources.push(this);
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
  hear(event: string, data = '') {
    this.dispatchEvent(new MessageEvent(event, { data }));
  }
}

const sources: FakeSource[] = [];

beforeEach(() => {
  sources.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('EventSource', FakeSource);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a stream that stays silent for longer than the pause between heartbeats is replaced, and what changed meanwhile is fetched', async () => {
  const [conversations, channels] = [vi.fn(), vi.fn()];
  const stops = [listenTo('conversations', conversations), listenTo('channels', channels)];
  const [first] = sources;
  first?.hear('open');
  first?.hear('recent', JSON.stringify({ completeMs: 600_000, changedMs: {} }));
  for (let time = 0; time < 4; time += 1) {
    await vi.advanceTimersByTimeAsync(25_000);
    first?.hear('heartbeat');
  }
  await vi.advanceTimersByTimeAsync(59_000);
  expect(sources).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sources).toHaveLength(2);
  expect(first?.readyState).toBe(FakeSource.CLOSED);
  for (const listener of [conversations, channels]) listener.mockClear();

  sources[1]?.hear('open');
  sources[1]?.hear(
    'recent',
    JSON.stringify({ completeMs: 600_000, changedMs: { conversations: 55_000, channels: 300_000 } }),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(conversations).toHaveBeenCalledOnce();
  expect(channels).not.toHaveBeenCalled();
  for (const stop of stops) stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sources).toHaveLength(2);
});

test('a page that newer ones replaced stays without a stream until it is shown again', async () => {
  const stop = listenTo('conversations', () => undefined);
  sources[0]?.hear('open');
  sources[0]?.hear('enough');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sources).toHaveLength(1);
  stop();
});

test('a page that stayed connected while it was hidden fetches the draft when it is shown, which the server did not announce to it', () => {
  const [conversations, draft] = [vi.fn(), vi.fn()];
  const stops = [listenTo('conversations', conversations), listenTo('draft', draft)];
  listenWhileHidden(true);
  sources[0]?.hear('open');
  showPage('hidden');
  expect(sources[0]?.readyState).not.toBe(FakeSource.CLOSED);
  showPage('visible');
  expect(draft).toHaveBeenCalledOnce();
  expect(conversations).not.toHaveBeenCalled();
  listenWhileHidden(false);
  for (const stop of stops) stop();
});

function showPage(visibilityState: DocumentVisibilityState) {
  Object.assign(document, { visibilityState });
  document.dispatchEvent(new Event('visibilitychange'));
}
