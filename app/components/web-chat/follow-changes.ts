import { openChanges } from '#app/components/web-chat/chat-api.ts';

/** Pauses before trying again, in milliseconds: the first, doubled each time up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Calls `onChange` when the conversation has changed, or may have while nothing was heard: server-sent events read from
 * a request, as `EventSource` sends no token. Tries again after a break, later each time, and at once when the browser
 * comes back online. Returns how to stop.
 */
export function followChanges(workspaceId: string, onChange: () => void): () => void {
  const stop = new AbortController();
  let failures = 0;
  let wake = () => undefined as unknown;
  const onOnline = () => void wake();
  window.addEventListener('online', onOnline);

  async function listen(): Promise<'enough' | 'broken'> {
    const reader = await openChanges(workspaceId, stop.signal);
    let rest = '';
    for (;;) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true };
      if (done) return 'broken';
      const parts = `${rest}${value}`.split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        if (part.includes('event: enough')) return 'enough';
        // What happened before the connection did not arrive: so at the beginning too.
        if (/^(retry:|event: (changed|missed))/.test(part)) {
          failures = 0;
          onChange();
        }
      }
    }
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const end = await listen().catch(() => 'broken' as const);
      // Too many pages of this visitor are open, and this is the oldest.
      if (end === 'enough' || stop.signal.aborted) return;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      failures += 1;
      await new Promise<void>((resolve) => {
        // Not all at once, after a server that all listened to has ended.
        const timer = setTimeout(resolve, pause * (0.5 + Math.random()));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  void run();
  return () => {
    stop.abort();
    window.removeEventListener('online', onOnline);
    wake();
  };
}
