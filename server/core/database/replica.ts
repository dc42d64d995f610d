import { isCanceled, isConflict, isDatabaseAway } from '#server/core/database/errors.ts';
import { pool, readOnReplica, replicaPool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { processState } from '#server/core/process-state.ts';

/** Interval of comparing the replica with the primary, in ms, while reads use it. */
const CHECK_MS = 300;
/** Maximum age of the primary's position in a comparison, in ms. With `CHECK_MS`, a read is at most a second old. */
const POSITION_MS = 700;
const CHECK_TIMEOUT_MS = 1_000;
/** Pause after a failure of the replica, in ms. */
const PAUSE_MS = 5_000;

/** Timestamps in ms of `performance.now()`. */
const state = processState(() => ({
  /** The position of the primary's log. */
  position: { lsn: '0/0', at: Number.NEGATIVE_INFINITY },
  checkedAt: Number.NEGATIVE_INFINITY,
  isFresh: false,
  pausedUntil: Number.NEGATIVE_INFINITY,
  checking: undefined as Promise<boolean> | undefined,
}));

/**
 * Runs a read that may be a second old on the replica (`DATABASE_REPLICA_URL`). Uses the primary when there is no replica, when it lags or
 * fails, for five seconds after a failure, and for a read that takes longer than the replica's timeout.
 * @param read only reads, so that it may run twice
 */
export async function readFromReplica<T>(read: () => Promise<T>): Promise<T> {
  if (settings().DATABASE_REPLICA_URL === undefined || !(await isFresh())) return read();
  try {
    return await readOnReplica(read);
  } catch (error) {
    // A slow statement has more time on the primary.
    if (isCanceled(error)) return read();
    // A standby cancels statements that are in the way of its replay, with the code of a conflict.
    if (!isDatabaseAway(error) && !isConflict(error)) throw error;
    pause(error);
    return read();
  }
}

async function isFresh(): Promise<boolean> {
  const replica = state();
  const now = performance.now();
  if (now < replica.pausedUntil) return false;
  if (now - replica.checkedAt < CHECK_MS) return replica.isFresh;
  replica.checking ??= compare().finally(() => {
    replica.checking = undefined;
  });
  return replica.checking;
}

/** Returns whether the replica has replayed what the primary had written at the last comparison. */
async function compare(): Promise<boolean> {
  const replica = state();
  const startedAt = performance.now();
  try {
    if (startedAt - replica.position.at > POSITION_MS) replica.position = await readPosition();
    const values = [replica.position.lsn];
    const [{ rows }, position] = await Promise.all([
      replicaPool().query<{ fresh: boolean | null }>({ ...REPLAYED, values }),
      readPosition(),
    ]);
    // Null: it is no standby, so its rows may be those of another database.
    replica.isFresh = rows[0]?.fresh ?? false;
    replica.position = position;
    replica.checkedAt = startedAt;
    return replica.isFresh;
  } catch (error) {
    pause(error);
    return false;
  }
}

const REPLAYED = {
  text: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as fresh',
  query_timeout: CHECK_TIMEOUT_MS,
};

async function readPosition(): Promise<{ lsn: string; at: number }> {
  const at = performance.now();
  const { rows } = await pool().query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
  return { lsn: rows[0]?.lsn ?? '0/0', at };
}

function pause(error: unknown): void {
  log().warn({ err: error }, 'database.replica_not_used');
  state().pausedUntil = performance.now() + PAUSE_MS;
}
