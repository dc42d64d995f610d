import type { RateLimiterRes } from 'rate-limiter-flexible';
import { limiter, noteStoreFault } from '#server/limits/limiter-store.ts';
import { log } from '#server/log.ts';
import { countLimitCall } from '#server/metrics/count-limit-call.ts';

/** The limits of spec.md §8 and of sign-in: so many in a window of `seconds` that starts at the first. */
const LIMITS = {
  /** API requests per connection. */
  api: { points: 300, seconds: 60 },
  /** Token and revoke together, per address. */
  token: { points: 60, seconds: 60 },
  /** Approvals on the consent page, per teammate. */
  approval: { points: 20, seconds: 60 },
  /** Attempts to sign in, per address: a team may share one. */
  sign_in: { points: 30, seconds: 60 },
  /** Failed attempts to sign in, per account at one address. */
  sign_in_failure: { points: 10, seconds: 900 },
  /** The same per account from all addresses: it refuses nobody, it slows down (server/teammates/slow-down.ts). */
  sign_in_account: { points: 1_000, seconds: 3_600 },
  /** The same per browser that signed in to the account before. */
  sign_in_browser: { points: 10, seconds: 900 },
  /** Wrong passwords where a signed-in teammate gives it again, per session. */
  password_check: { points: 10, seconds: 900 },
  /** Links to a new password asked for: per address, per account at one address, per browser known to the account. */
  reset_address: { points: 20, seconds: 900 },
  reset_account: { points: 3, seconds: 900 },
  reset_browser: { points: 3, seconds: 900 },
  /** Links mailed to an account for strangers: in a window as long as links live, so that one of them always works. */
  reset_mail: { points: 3, seconds: 3_600 },
  /** Invitations mailed, per workspace: nobody is to be flooded in its name. */
  invitation: { points: 50, seconds: 3_600 },
  /** Look-ups of the records that verify e-mail domains, per workspace. */
  domain_check: { points: 30, seconds: 60 },
  /** New visitors of web chats, per address: many may share one, but nobody is many at once. */
  chat_visitor: { points: 20, seconds: 60 },
  /** What a visitor sends, and what all visitors from one address send: messages, with their files, and ratings. */
  chat_message: { points: 30, seconds: 60 },
  chat_address: { points: 120, seconds: 60 },
  /** Ratings by a mailed link, per conversation. */
  rating: { points: 10, seconds: 60 },
} as const;

export type LimitName = keyof typeof LIMITS;

/** What is left of a limit; `retryAfterSeconds` is whole and at least 1 when it is used up. */
export type LimitState = { allowed: boolean; limit: number; remaining: number; retryAfterSeconds: number };

/**
 * Takes one from a limit for `key`, counted across all processes. When counting itself fails the call passes and
 * the fault is logged: a broken limiter must not stop the service (decisions: requests and errors, 7).
 */
export async function takeFrom(name: LimitName, key: string): Promise<LimitState> {
  try {
    const counting = await limiter(name, LIMITS[name]);
    const taken = await counting.consume(key);
    countLimitCall(name, 'passed');
    return stateOf(name, taken, true);
  } catch (refusal) {
    if (isRefusal(refusal)) {
      countLimitCall(name, 'refused');
      return stateOf(name, refusal, false);
    }
    countLimitCall(name, 'uncounted');
    logFault(name, refusal);
    const { points } = LIMITS[name];
    return { allowed: true, limit: points, remaining: points, retryAfterSeconds: 0 };
  }
}

/** Forgets what was taken from a limit for `key`. A fault of the limiter is logged here too. */
export async function resetLimit(name: LimitName, key: string): Promise<void> {
  try {
    const counting = await limiter(name, LIMITS[name]);
    await counting.delete(key);
  } catch (error) {
    logFault(name, error);
  }
}

function logFault(name: LimitName, error: unknown): void {
  log().error({ err: error, limit: name }, 'limit.failed');
  noteStoreFault(error);
}

function stateOf(name: LimitName, result: RateLimiterRes, allowed: boolean): LimitState {
  return {
    allowed,
    limit: LIMITS[name].points,
    remaining: Math.max(0, result.remainingPoints),
    retryAfterSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  };
}

/** The library's answer that a limit is used up, as opposed to an error; recognised by its fields (see errors.ts). */
function isRefusal(thrown: unknown): thrown is RateLimiterRes {
  return typeof thrown === 'object' && thrown !== null && 'msBeforeNext' in thrown;
}
