import { cleanUpPool } from '#server/core/database/pools.ts';

/** So many rows at once: no lock is held for long. */
export const BATCH = 500;
/** For how long a job goes on before it leaves the rest to another one, in milliseconds. */
const GO_ON_FOR_MS = 10_000;

/**
 * Runs statements one after the other, each until it changes nothing any more or the time is up.
 * @param statements each changes at most `BATCH` of the rows that it is about, and is given `id`
 * @returns whether all of it is done
 */
export async function changeInBatches(
  statements: readonly string[],
  id: string,
  goOnForMs: number = GO_ON_FOR_MS,
): Promise<boolean> {
  const until = performance.now() + goOnForMs;
  for (const statement of statements) {
    for (;;) {
      if (performance.now() > until) return false;
      const { rowCount } = await cleanUpPool().query(statement, [id]);
      if (!rowCount) break;
    }
  }
  return true;
}
