import { addressKey } from '#server/core/limits/address-key.ts';
import { type Count, limiterStore, noteStoreFault } from '#server/core/limits/limiter-store.ts';
import { log } from '#server/core/log.ts';
import { counter } from '#server/core/metrics/declare-metrics.ts';

/** The limits of docs/spec.md §8 and of sign-in: so many in a window of `seconds` that starts at the first. */
export const LIMITS = {
  /** API requests per connection. */
  api: { points: 300, seconds: 60 },
  /** Token and revoke together, per address. */
  token: { points: 60, seconds: 60 },
  /** API requests with a token that no one has, per address: so many guesses a minute find none of 2^256. */
  unknown_token: { points: 300, seconds: 60 },
  /** Approvals on the consent page, per teammate. */
  approval: { points: 20, seconds: 60 },
  /** Attempts to sign in, per address: a team may share one. */
  sign_in: { points: 30, seconds: 60 },
  /** Failed attempts to sign in, per account at one address. */
  sign_in_failure: { points: 10, seconds: 900 },
  /**
   * The same per account from all addresses: it refuses no one, it slows down (server/teammates/limit-sign-in.ts).
   */
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
  /** Invitations mailed, per workspace: no one is to be flooded in its name. */
  invitation: { points: 50, seconds: 3_600 },
  /** Look-ups of the records that verify email domains, per workspace. */
  domain_check: { points: 30, seconds: 60 },
  /** New visitors of web chats, per address: many may share one, but no one is many at once. */
  chat_visitor: { points: 20, seconds: 60 },
  /** What a visitor sends, and what all visitors from one address send: messages, with their files, and ratings. */
  chat_message: { points: 30, seconds: 60 },
  chat_address: { points: 120, seconds: 60 },
  /** What they read: their conversation, its files, and the stream of live messages. Each message is a reason to read again. */
  chat_read: { points: 300, seconds: 60 },
  chat_read_address: { points: 1_200, seconds: 60 },
  /** KiB of files that a visitor sends, and all visitors from one address. */
  chat_file_kib: { points: 100 * 1_024, seconds: 3_600 },
  chat_file_kib_address: { points: 500 * 1_024, seconds: 3_600 },
  /** Calls of providers of channels, per address (each has few), and those that were refused there. */
  webhook_address: { points: 6_000, seconds: 60 },
  webhook_refused: { points: 120, seconds: 60 },
  /** Accounts of channels connected or tested, per workspace: each asks a provider. */
  channel_check: { points: 30, seconds: 60 },
  /** Files opened, per teammate. */
  attachment: { points: 600, seconds: 60 },
  /** Files added to messages that are being written, per teammate. */
  upload: { points: 60, seconds: 60 },
  /** Mails that ask for ratings declined, per address: mail programs of many people may share one. */
  unsubscribe: { points: 120, seconds: 60 },
  /** Mails handed over, and recipients that are none, by one server of senders. */
  inbound_mail: { points: 600, seconds: 60 },
  inbound_mail_recipient: { points: 100, seconds: 600 },
  /** Mails that no person sends (answers of the AI agent, rating requests), per recipient, from all workspaces. */
  automatic_mail: { points: 5, seconds: 3_600 },
  /** Emails from programs, workflows included, per sender domain and recipient: ends loops between two installations. */
  program_mail: { points: 30, seconds: 3_600 },
  /**
   * KiB of mails for a workspace: of an envelope sender, of their domain, and of the server that delivers them. The first two
   * are what the sender says, and large providers deliver everyone's mail from a few servers.
   */
  inbound_mail_kib_sender: { points: 100 * 1_024, seconds: 3_600 },
  inbound_mail_kib_domain: { points: 300 * 1_024, seconds: 3_600 },
  inbound_mail_kib_server: { points: 1_024 * 1_024, seconds: 3_600 },
  /** Ratings by a mailed link, per conversation. */
  rating: { points: 10, seconds: 60 },
} as const;

export type LimitName = keyof typeof LIMITS;

/** `uncounted`: counting failed and the call passed; `_alone`: it failed and this process counted for itself. */
const RESULTS = ['passed', 'refused', 'uncounted', 'passed_alone', 'refused_alone'] as const;
const limitCalls = counter({
  name: 'inbox_limit_calls_total',
  help: 'Calls to a limit, by outcome.',
  labels: { limit: Object.keys(LIMITS), result: RESULTS },
});

/** Limits whose key is the address of a client: IPv6 counts by its /64. */
const PER_ADDRESS = new Set<LimitName>([
  'token',
  'unknown_token',
  'sign_in',
  'reset_address',
  'chat_visitor',
  'chat_address',
  'chat_read_address',
  'chat_file_kib_address',
  'inbound_mail',
  'inbound_mail_recipient',
  'webhook_address',
  'webhook_refused',
]);

/** Limits of the platform, which pass while they cannot be counted. All others guard the public or secrets. */
const PASS_UNCOUNTED = new Set<LimitName>(['api', 'token']);

/** What is left of a limit; `retryAfterSeconds` is whole and at least 1 when it is used up. */
export type LimitState = { allowed: boolean; limit: number; remaining: number; retryAfterSeconds: number };

/**
 * Takes one, or `points`, from a limit for `key`, counted across all processes. A key that this process saw refused is refused
 * without being counted until its window ends. When counting itself fails the fault is logged, and a call of the API, token or
 * revoke passes: a broken limiter must not stop the platform. Limits that guard the public or secrets are then counted by this
 * process alone (docs/rulings.md: requests and errors, 7).
 * @param key whose limit it is; of a limit per address the address as the client has it
 */
export async function takeFrom(name: LimitName, key: string, points = 1): Promise<LimitState> {
  const limit = LIMITS[name];
  const counted = `${name}:${keyOf(name, key)}`;
  const refusedUntil = findRefusal(counted);
  if (refusedUntil !== undefined)
    return judge(name, { count: Number.POSITIVE_INFINITY, endsAt: refusedUntil });
  try {
    const store = await limiterStore();
    const count = await store.consume(counted, points, limit.seconds);
    if (count.count > limit.points) rememberRefusal(counted, count.endsAt);
    return judge(name, count);
  } catch (error) {
    logFault(name, error);
    if (!PASS_UNCOUNTED.has(name)) return judge(name, memoryCounts().take(counted, limit, points), '_alone');
    limitCalls.inc({ limit: name, result: 'uncounted' });
    return { allowed: true, limit: limit.points, remaining: limit.points, retryAfterSeconds: 0 };
  }
}

/** Returns what a count leaves of a limit, and records the call in the metrics. */
function judge(name: LimitName, { count, endsAt }: Count, by: '' | '_alone' = ''): LimitState {
  const { points } = LIMITS[name];
  const allowed = count <= points;
  limitCalls.inc({ limit: name, result: `${allowed ? 'passed' : 'refused'}${by}` });
  return {
    allowed,
    limit: points,
    remaining: Math.max(0, points - count),
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - Date.now()) / 1_000)),
  };
}

function keyOf(name: LimitName, key: string): string {
  return PER_ADDRESS.has(name) ? addressKey(key) : key;
}

/** Forgets what was taken from a limit for `key`. A fault of the store is logged here too. */
export async function resetLimit(name: LimitName, key: string): Promise<void> {
  const counted = `${name}:${keyOf(name, key)}`;
  memoryCounts().forget(counted);
  shared.serviceRefusals?.delete(counted);
  try {
    const store = await limiterStore();
    await store.forget(counted);
  } catch (error) {
    logFault(name, error);
  }
}

function logFault(name: LimitName, error: unknown): void {
  log().error({ err: error, limit: name }, 'limit.failed');
  noteStoreFault(error);
}

/** Upper bound on refused keys in memory. The oldest make room. */
const REFUSALS_MAX = 10_000;

const shared = globalThis as typeof globalThis & {
  /** Ends of windows that are used up, by key. */
  serviceRefusals?: Map<string, number>;
  serviceMemoryCounts?: Counting;
};

/** Returns the end of a window that this process saw used up, while the window lasts. */
function findRefusal(key: string): number | undefined {
  const endsAt = shared.serviceRefusals?.get(key);
  if (endsAt === undefined || endsAt > Date.now()) return endsAt;
  shared.serviceRefusals?.delete(key);
  return undefined;
}

function rememberRefusal(key: string, endsAt: number): void {
  shared.serviceRefusals ??= new Map();
  const refusals = shared.serviceRefusals;
  const [oldest] = refusals.size >= REFUSALS_MAX ? refusals.keys() : [];
  if (oldest !== undefined) refusals.delete(oldest);
  refusals.set(key, endsAt);
}

/** Keys that are remembered at once; the oldest windows make room. */
const KEYS_MAX = 100_000;

type Window = { points: number; seconds: number };
type Counting = { take(key: string, window: Window, points?: number): Count; forget(key: string): void };

/**
 * Counts in this process alone, for as long as the store that all processes share is away. The number of keys is
 * bounded, as the caller who is to be limited chooses them.
 */
function memoryCounts(): Counting {
  shared.serviceMemoryCounts ??= countInMemory();
  return shared.serviceMemoryCounts;
}

/** A counter of its own; `keysMax` at once. */
export function countInMemory(keysMax = KEYS_MAX): Counting {
  // In the order in which the windows began.
  const windows = new Map<string, Count>();
  return {
    take: (key, { seconds }, points = 1) => {
      const now = Date.now();
      const open = windows.get(key);
      if (open && open.endsAt > now) {
        open.count += points;
        return open;
      }
      windows.delete(key);
      const [oldest] = windows.size >= keysMax ? windows.keys() : [];
      if (oldest !== undefined) windows.delete(oldest);
      const begun = { count: points, endsAt: now + seconds * 1000 };
      windows.set(key, begun);
      return begun;
    },
    forget: (key) => {
      windows.delete(key);
    },
  };
}
