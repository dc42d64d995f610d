import { setTimeout as sleep } from 'node:timers/promises';

/** Failures of an account, from all addresses together, that cost no time; each further one costs `STEP_MS` more. */
const FREE_FAILURES = 50;
const STEP_MS = 100;
const DELAY_MAX_MS = 10_000;

/** So many requests wait at once: for one account, and in this process. */
const WAITING_MAX_PER_ACCOUNT = 10;
const WAITING_MAX = 100;

const waiting = new Map<string, number>();
let waitingInAll = 0;

/** How long an attempt waits before its password is looked at, after so many failures of the account; in milliseconds. */
export function delayMs(failures: number): number {
  return Math.min(Math.max(0, failures - FREE_FAILURES) * STEP_MS, DELAY_MAX_MS);
}

/**
 * Waits before the password of an account is looked at: guessing from many addresses becomes slow (in this process ten
 * guesses in ten seconds at most), and its owner still gets in.
 * @returns false, at once, when too many wait already
 */
export async function slowDown(account: string, ms: number): Promise<boolean> {
  if (ms <= 0) return true;
  const before = waiting.get(account) ?? 0;
  if (before >= WAITING_MAX_PER_ACCOUNT || waitingInAll >= WAITING_MAX) return false;
  waiting.set(account, before + 1);
  waitingInAll += 1;
  await sleep(ms);
  waitingInAll -= 1;
  const left = (waiting.get(account) ?? 1) - 1;
  if (left > 0) waiting.set(account, left);
  else waiting.delete(account);
  return true;
}
