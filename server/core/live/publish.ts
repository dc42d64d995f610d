import { setTimeout as sleep } from 'node:timers/promises';
import { pool } from '#server/core/database/pools.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { WITHOUT_FLUSH } from '#server/core/database/sql.ts';
import type { LiveMessage } from '#server/core/live/listen.ts';
import type { LiveTopic } from '#server/core/live/live-topics.ts';
import type { DraftChange, Presence, PresenceReport } from '#server/core/live/presence-messages.ts';
import { log } from '#server/core/log.ts';
import { processState } from '#server/core/process-state.ts';

/** PostgreSQL channel for changes. */
export const LIVE_CHANNEL = 'live';
/** Minimum interval between statements, in ms. */
const BEAT_MS = 500;
/** Maximum wait for the last statement at shutdown, in ms. */
const LAST_WAIT_MS = 2_000;

type Publisher = {
  /** Payloads to publish, by key. The newest of each key is sent. */
  pending: Map<string, string>;
  timer: NodeJS.Timeout | undefined;
  sending: Promise<void> | undefined;
};

const publisher = processState<Publisher>(() => ({
  pending: new Map(),
  timer: undefined,
  sending: undefined,
}));

const STATEMENT = {
  name: 'publish',
  text: `select pg_notify('${LIVE_CHANNEL}', payload), ${WITHOUT_FLUSH} from unnest($1::text[]) payload`,
};

/**
 * Notifies the open pages of a workspace, in all processes, of a committed change. Fire and forget: a message is lost only with its
 * process, or while the database stays unreachable. Equal messages are published at most once in half a second.
 */
export function publish(workspaceId: string, topic: LiveTopic): void {
  enqueue({ workspaceId, topic });
}

/** Has the streams of a session checked again, because it switched to another workspace. */
export function publishSession(sessionId: string): void {
  enqueue({ sessionId });
}

/** Notifies the web chat visitors who may see a conversation of a committed change. */
export function publishConversation(conversationId: string): void {
  enqueue({ conversationId });
}

/** Notifies the pages that have a conversation open of a committed change of its draft. */
export function publishDraft(draft: DraftChange): void {
  enqueue({ draft });
}

/** Publishes what the pages of a teammate on this server have open. The newest state replaces a pending one. */
export function publishPresence(presence: Presence): void {
  const { serverId, workspaceId, userId } = presence;
  enqueue({ presence }, `presence:${serverId}:${workspaceId}:${userId}`);
}

/** Passes the report of a page to the server that holds its stream. */
export function publishPresenceReport(presenceReport: PresenceReport): void {
  enqueue({ presenceReport }, `report:${presenceReport.page}`);
}

/** Has all servers publish the presence of their pages again. */
export function requestPresence(): void {
  enqueue({ presenceRequest: true });
}

/** Publishes pending messages before the process exits. */
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

function enqueue(message: LiveMessage, key?: string): void {
  const state = publisher();
  const payload = JSON.stringify(message);
  state.pending.set(key ?? payload, payload);
  if (!state.timer) beat(state);
}

/** Sends immediately after a pause, then once per interval until nothing is pending. */
function beat(state: Publisher): void {
  state.timer = undefined;
  if (state.pending.size === 0) return;
  state.timer = setTimeout(() => beat(state), BEAT_MS);
  state.timer.unref();
  // While the database is slow, messages wait here, one per key.
  if (!state.sending) void send(state);
}

/** Never rejects. */
function send(state: Publisher): Promise<void> {
  const payloads = [...state.pending.values()];
  state.pending.clear();
  state.sending = retryWhileDatabaseAway(() => pool().query({ ...STATEMENT, values: [payloads] }))
    .then(
      () => undefined,
      (error: unknown) => log().debug({ err: error }, 'live.not_published'),
    )
    .finally(() => {
      state.sending = undefined;
    });
  return state.sending;
}
