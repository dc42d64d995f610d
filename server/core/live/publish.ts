import { setTimeout as sleep } from 'node:timers/promises';
import { pool } from '#server/core/database/db.ts';
import { WITHOUT_FLUSH } from '#server/core/database/without-flush.ts';
import type { LiveTopic } from '#server/core/live/live-topics.ts';
import { log } from '#server/core/log.ts';

/** The channel of PostgreSQL on which the processes publish what changed. */
export const LIVE_CHANNEL = 'live';
/** At most one statement in so many milliseconds, however much happens. */
const BEAT_MS = 500;
/** How long a process that ends waits for the last one, in milliseconds. */
const LAST_WAIT_MS = 2_000;

type Publisher = {
  /** What is to be published, as payloads; equal ones are sent once. */
  pending: Set<string>;
  timer: NodeJS.Timeout | undefined;
  sending: Promise<void> | undefined;
};

/** Shared with Next's copy of this module: both publish. */
const shared = globalThis as typeof globalThis & { publisher?: Publisher };

const STATEMENT = {
  name: 'publish',
  text: `select pg_notify('${LIVE_CHANNEL}', payload), ${WITHOUT_FLUSH} from unnest($1::text[]) payload`,
};

/**
 * Notifies the open pages of a workspace, in all processes, that something changed. To be called after the change is
 * committed. Nothing waits for it and nothing fails with it: a page that misses it is only a little late. The same
 * changes are published at most once in half a second.
 */
export function publish(workspaceId: string, topic: LiveTopic): void {
  enqueue({ workspaceId, topic });
}

/** Has the streams of a session looked at again, because another workspace was opened in it. */
export function publishSession(sessionId: string): void {
  enqueue({ sessionId });
}

/** Notifies the visitors of a web chat who may see this conversation that it changed. After the commit. */
export function publishConversation(conversationId: string): void {
  enqueue({ conversationId });
}

/** Publishes what is still pending, before the process ends. */
export async function flushPublished(): Promise<void> {
  const state = publisher();
  clearTimeout(state.timer);
  state.timer = undefined;
  const last = (async () => {
    await state.sending;
    if (state.pending.size > 0) await send(state);
  })();
  await Promise.race([last, sleep(LAST_WAIT_MS, undefined, { ref: false })]);
}

function enqueue(
  message: { workspaceId: string; topic: LiveTopic } | { sessionId: string } | { conversationId: string },
): void {
  const state = publisher();
  state.pending.add(JSON.stringify(message));
  if (!state.timer) beat(state);
}

function publisher(): Publisher {
  shared.publisher ??= { pending: new Set(), timer: undefined, sending: undefined };
  return shared.publisher;
}

/** Sends at once what came after a pause, and then goes on in beats until nothing is left. */
function beat(state: Publisher): void {
  state.timer = undefined;
  if (state.pending.size === 0) return;
  state.timer = setTimeout(() => beat(state), BEAT_MS);
  state.timer.unref();
  // While the database does not answer, messages gather in the set and in no queue.
  if (!state.sending) void send(state);
}

/** Never rejects. */
function send(state: Publisher): Promise<void> {
  const payloads = [...state.pending];
  state.pending.clear();
  state.sending = pool()
    .query({ ...STATEMENT, values: [payloads] })
    .then(
      () => undefined,
      (error: unknown) => log().debug({ err: error }, 'live.not_published'),
    )
    .finally(() => {
      state.sending = undefined;
    });
  return state.sending;
}
