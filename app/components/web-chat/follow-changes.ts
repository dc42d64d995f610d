import { openChanges } from '#app/components/web-chat/chat-api.ts';

/** Backoff between connection attempts, in ms: doubles from the first pause to the maximum. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Time without a message or heartbeat after which a connection counts as broken, in ms. The server sends a heartbeat every 25 seconds. */
const SILENCE_MS = 60_000;

export type Following = {
  stop: () => void;
  /** Reconnects immediately unless connected. */
  resume: () => void;
};

/**
 * Calls `onChange` when the conversation has changed, or may have changed while disconnected. Reads server-sent
 * events with `fetch`, because `EventSource` cannot send the token. Reconnects with backoff, and immediately when the
 * browser comes back online. A connection that says nothing, such as after a change of network, is replaced. A visitor's oldest page is disconnected when they open too many: it reconnects only after
 * `resume`, because otherwise it would disconnect the next one.
 */
export function followChanges(workspaceId: string, onChange: () => void): Following {
  const stop = new AbortController();
  let failures = 0;
  let resume = () => {};
  let onOnline = () => {};
  window.addEventListener('online', () => onOnline(), { signal: stop.signal });

  async function listen(): Promise<'enough' | 'broken'> {
    const connection = new AbortController();
    const end = () => connection.abort();
    stop.signal.addEventListener('abort', end, { signal: connection.signal });
    let silence = setTimeout(end, SILENCE_MS);
    try {
      const reader = await openChanges(workspaceId, connection.signal);
      return await readAll(reader, () => {
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
      });
    } finally {
      clearTimeout(silence);
      end();
    }
  }

  async function readAll(
    reader: Awaited<ReturnType<typeof openChanges>>,
    onHeard: () => void,
  ): Promise<'enough' | 'broken'> {
    let rest = '';
    for (;;) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true };
      onHeard();
      if (done) return 'broken';
      const parts = `${rest}${value}`.split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        if (part.includes('event: enough')) return 'enough';
        // Events before the connection are lost, so notify at each connect too.
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
      if (stop.signal.aborted) return;
      await new Promise<void>((resolve) => {
        resume = resolve;
        if (end === 'enough') return;
        onOnline = resolve;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
        failures += 1;
        // Jitter, so that clients do not reconnect together after a server restart.
        setTimeout(resolve, pause * (0.5 + Math.random()));
      });
    }
  }

  void run();
  return {
    stop: () => {
      stop.abort();
      resume();
    },
    resume: () => resume(),
  };
}
