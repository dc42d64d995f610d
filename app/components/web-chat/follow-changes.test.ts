import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followChanges } from '#app/components/web-chat/follow-changes.ts';

const streams: ReadableStreamDefaultController<Uint8Array>[] = [];

beforeEach(() => {
  streams.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      streams.push(controller);
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    };
    const body = new ReadableStream<Uint8Array>({ start });
    return new Response(body);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a page that newer ones replaced reconnects when its visitor returns, and not before', async () => {
  const onChange = vi.fn();
  const following = followChanges('shop', onChange);
  await stream(0);
  write(0, 'retry: 2000\n\n');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
  write(0, 'event: enough\ndata:\n\n');
  await vi.advanceTimersByTimeAsync(600_000);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(streams).toHaveLength(1);

  following.resume();
  await stream(1);
  write(1, 'retry: 2000\n\n');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
  following.resume();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(streams).toHaveLength(2);
  following.stop();
});

test('a page whose connection broke reconnects after a pause, or when the browser comes back online', async () => {
  const following = followChanges('shop', () => undefined);
  await stream(0);
  streams[0]?.close();
  await vi.advanceTimersByTimeAsync(1_500);
  await stream(1);
  streams[1]?.close();
  await vi.advanceTimersByTimeAsync(1);
  window.dispatchEvent(new Event('online'));
  await stream(2);
  following.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(streams).toHaveLength(3);
});

test('a page whose connection is silent for longer than the pause between heartbeats connects again', async () => {
  const onChange = vi.fn();
  const following = followChanges('shop', onChange);
  await stream(0);
  for (let time = 0; time < 4; time += 1) {
    await vi.advanceTimersByTimeAsync(25_000);
    write(0, 'event: heartbeat\ndata:\n\n');
  }
  await vi.advanceTimersByTimeAsync(50_000);
  expect(streams).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(15_000);
  await stream(1);
  write(1, 'retry: 2000\n\n');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
  following.stop();
});

/** Waits for the page's connection with this number. */
function stream(number: number): Promise<void> {
  return vi.waitFor(() => expect(streams).toHaveLength(number + 1));
}

function write(number: number, text: string): void {
  streams[number]?.enqueue(new TextEncoder().encode(text));
}
