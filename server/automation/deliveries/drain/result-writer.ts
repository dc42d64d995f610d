import { type MadeAttempt, recordAttempts } from '#server/automation/deliveries/record-attempts.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry-while-database-away.ts';
import { log } from '#server/core/log.ts';

/** Results that one statement writes at most. */
const BATCH = 500;
/** How long results are kept for a database that is away, in milliseconds. */
const KEPT_MS = 60_000;

/** `recorded`: false when another worker had been before, null when it could not be written at all. */
export type OnWritten = (attempt: MadeAttempt, recorded: boolean | null) => void;

/**
 * Writes the results of attempts: at once when none is being written, else with all that gathered meanwhile, in the
 * order in which they came. While the database is away they are kept, and written when it is back.
 */
export function makeResultWriter(onWritten: OnWritten): {
  add(attempt: MadeAttempt): void;
  idle(): Promise<void>;
} {
  const waiting: MadeAttempt[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      const recorded = await write(batch);
      for (const [place, attempt] of batch.entries()) onWritten(attempt, recorded[place] ?? null);
    }
    writing = undefined;
  }

  return {
    add(attempt) {
      waiting.push(attempt);
      writing ??= writeAll();
    },
    idle: async () => {
      while (writing) await writing;
    },
  };
}

/** Never rejects. One that cannot be written does not keep the others from it. */
async function write(batch: MadeAttempt[]): Promise<(boolean | null)[]> {
  try {
    return await retryWhileDatabaseAway(() => recordAttempts(batch), KEPT_MS);
  } catch (error) {
    const [only] = batch;
    if (batch.length > 1 && only) {
      const each: (boolean | null)[] = [];
      for (const attempt of batch) each.push(...(await write([attempt])));
      return each;
    }
    log().error(
      { err: error, deliveryId: only?.delivery.id, hookId: only?.delivery.hookId },
      'delivery.not_recorded',
    );
    return [null];
  }
}
