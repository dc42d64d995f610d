import { addressKey } from '#server/core/limits/address-key.ts';
import { type Count, consume, forget } from '#server/core/limits/limit-store.ts';
import { log } from '#server/core/log.ts';
import { counter } from '#server/core/metrics/declare-metrics.ts';
import { processState } from '#server/core/process-state.ts';

/** Limits (docs/spec.md §8): points per window of `seconds`, which starts at the first call of a key. */
export const LIMITS = {
  /** API requests per connection. */
  api: { points: 300, seconds: 60 },
  /** Developer API requests per API token. */
  developer_api: { points: 600, seconds: 60 },
  /** Token and revoke together, per address. */
  token: { points: 60, seconds: 60 },
  /** API requests with an unknown token, per address. */
  unknown_token: { points: 300, seconds: 60 },
  /** Approvals on the consent page, per teammate. */
  approval: { points: 20, seconds: 60 },
  /** Sign-in attempts per address. A team may share one. */
  sign_in: { points: 30, seconds: 60 },
  /** Failed sign-in attempts per account and address. */
  sign_in_failure: { points: 10, seconds: 900 },
  /** Failed sign-in attempts per account. Slows down instead of refusing (server/teammates/limit-sign-in.ts). */
  sign_in_account: { points: 1_000, seconds: 3_600 },
  /** Failed sign-in attempts per browser that has signed in to the account before. */
  sign_in_browser: { points: 10, seconds: 900 },
  /** Failed sign-ins per account that the audit log lists. Others are not listed. */
  sign_in_audit: { points: 10, seconds: 3_600 },
  /** Sign-ins through an identity provider that were started, per address, and failed ones per workspace that the audit log lists. */
  sign_on: { points: 60, seconds: 60 },
  sign_on_audit: { points: 60, seconds: 3_600 },
  /** Wrong codes of a second factor, per account. */
  second_factor: { points: 5, seconds: 900 },
  second_factor_day: { points: 50, seconds: 86_400 },
  /** Requests to use a passkey, per address when signing in, and per account. */
  passkey: { points: 30, seconds: 60 },
  /** Requested changes of an account's address: each is mailed to any address. */
  address_change: { points: 5, seconds: 3_600 },
  /** Wrong passwords of a signed-in teammate who must confirm it, per session. */
  password_check: { points: 10, seconds: 900 },
  /** Requested password resets: per address, per account and address, and per browser that has signed in before. */
  reset_address: { points: 20, seconds: 900 },
  reset_account: { points: 3, seconds: 900 },
  reset_browser: { points: 3, seconds: 900 },
  /** Password resets mailed to an account for unknown browsers. The window is as long as a link is valid, so one always works. */
  reset_mail: { points: 3, seconds: 3_600 },
  /** Mailed invitations per workspace. */
  invitation: { points: 50, seconds: 3_600 },
  /** Messages forwarded by a teammate: each is a mail to anyone. */
  forward: { points: 100, seconds: 3_600 },
  /** DNS lookups that verify email domains, per workspace. */
  domain_check: { points: 30, seconds: 60 },
  /** Lookups of MX records, one per domain when the email settings are shown, per workspace. */
  mail_route: { points: 200, seconds: 60 },
  /** Test emails to a workspace's own mailboxes, per workspace. */
  test_mail: { points: 10, seconds: 60 },
  /** New web chat visitors per address. */
  chat_visitor: { points: 20, seconds: 60 },
  /** Messages and ratings of a visitor, and of all visitors at an address. */
  chat_message: { points: 30, seconds: 60 },
  chat_address: { points: 120, seconds: 60 },
  /** Requests of visitors for their conversation, its files and the live stream. Each message causes one. */
  chat_read: { points: 300, seconds: 60 },
  chat_read_address: { points: 1_200, seconds: 60 },
  /** KiB of uploaded files of a visitor, and of all visitors at an address. */
  chat_file_kib: { points: 100 * 1_024, seconds: 3_600 },
  chat_file_kib_address: { points: 500 * 1_024, seconds: 3_600 },
  /** Webhook calls per address (a provider has few), and refused ones. */
  webhook_address: { points: 6_000, seconds: 60 },
  webhook_refused: { points: 120, seconds: 60 },
  /** Channel accounts connected or tested, per workspace: each sends requests to the provider. */
  channel_check: { points: 30, seconds: 60 },
  /** Downloaded files per teammate. */
  attachment: { points: 600, seconds: 60 },
  /** Uploaded files per teammate. */
  upload: { points: 60, seconds: 60 },
  /** Unsubscribe requests per address. Mail programs of many people may share one. */
  unsubscribe: { points: 120, seconds: 60 },
  /** Received mails, and unknown recipients, per sending server. */
  inbound_mail: { points: 600, seconds: 60 },
  inbound_mail_recipient: { points: 100, seconds: 600 },
  /** Automatic mails (AI agent, rating requests) per recipient, from all workspaces. */
  automatic_mail: { points: 5, seconds: 3_600 },
  /** Links that verify a claimed address, per address, from all workspaces. */
  verification_mail: { points: 3, seconds: 3_600 },
  /** Emails from programs, workflows included, per sender domain and recipient: ends loops between two installations. */
  program_mail: { points: 30, seconds: 3_600 },
  /** Messages of programs, workflows, the AI agent and rating requests in chats, per person: ends loops of two answering systems. */
  program_chat: { points: 300, seconds: 3_600 },
  /**
   * KiB of mail for a workspace: per envelope sender, its domain, and the sending server. The first two can be forged, and large
   * providers send everyone's mail from a few servers.
   */
  inbound_mail_kib_sender: { points: 100 * 1_024, seconds: 3_600 },
  inbound_mail_kib_domain: { points: 300 * 1_024, seconds: 3_600 },
  inbound_mail_kib_server: { points: 1_024 * 1_024, seconds: 3_600 },
  /** Ratings through a mailed link, per conversation. */
  rating: { points: 10, seconds: 60 },
} as const;

export type LimitName = keyof typeof LIMITS;

/** `uncounted`: counting failed and the call passed. `_alone`: counting failed and this process counted in memory. */
const RESULTS = ['passed', 'refused', 'uncounted', 'passed_alone', 'refused_alone'] as const;
const limitCalls = counter({
  name: 'inbox_limit_calls_total',
  help: 'Calls to a limit, by outcome.',
  labels: { limit: Object.keys(LIMITS), result: RESULTS },
});

/** Limits whose key is a client address. IPv6 counts by its /64. */
const PER_ADDRESS = new Set<LimitName>([
  'token',
  'unknown_token',
  'sign_in',
  'sign_on',
  'passkey',
  'reset_address',
  'chat_visitor',
  'chat_address',
  'chat_read_address',
  'chat_file_kib_address',
  'unsubscribe',
  'inbound_mail',
  'inbound_mail_recipient',
  'webhook_address',
  'webhook_refused',
]);

/** Limits that end early by `resetLimit`, perhaps in another process. So no process remembers that one of them is exhausted. */
const RESET_EARLY = new Set<LimitName>([
  'sign_in_failure',
  'sign_in_account',
  'sign_in_browser',
  'second_factor',
  'second_factor_day',
  'password_check',
  'reset_mail',
]);

/** Limits whose calls pass while counting fails. All others are then counted in memory. */
const PASS_UNCOUNTED = new Set<LimitName>(['api', 'developer_api', 'token']);

/** State of a limit after a call. `retryAfterSeconds`: until its window ends, an integer and at least 1; 0 when not counted. */
export type LimitState = { allowed: boolean; limit: number; remaining: number; retryAfterSeconds: number };

/**
 * Consumes points of a limit, counted across all processes. A key that this process has refused is refused without counting until
 * its window ends. When counting fails the error is logged, and a call of the API, token or revoke passes, because a broken limiter
 * must not stop the platform. All other limits are then counted in memory (docs/rulings.md 2.7).
 * @param key owner of the limit; for a limit per address the client's address
 */
export async function consumeLimit(name: LimitName, key: string, points = 1): Promise<LimitState> {
  const limit = LIMITS[name];
  const counted = countedKey(name, key);
  const known = countsInMemory().find(counted);
  if (known && known.count > limit.points) return judge(name, known);
  try {
    const count = await consume(counted, points, limit.seconds);
    if (count.count > limit.points && !RESET_EARLY.has(name)) countsInMemory().start(counted, count);
    return judge(name, count);
  } catch (error) {
    logFault(name, error);
    if (!PASS_UNCOUNTED.has(name))
      return judge(name, countsInMemory().take(counted, limit, points), '_alone');
    limitCalls.inc({ limit: name, result: 'uncounted' });
    return { allowed: true, limit: limit.points, remaining: limit.points, retryAfterSeconds: 0 };
  }
}

/** Returns the state of a limit after a count, and records the call in the metrics. */
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

function countedKey(name: LimitName, key: string): string {
  return `${name}:${PER_ADDRESS.has(name) ? addressKey(key) : key}`;
}

/** Resets a limit for `key`. An error is logged. */
export async function resetLimit(name: LimitName, key: string): Promise<void> {
  const counted = countedKey(name, key);
  countsInMemory().forget(counted);
  try {
    await forget(counted);
  } catch (error) {
    logFault(name, error);
  }
}

function logFault(name: LimitName, error: unknown): void {
  log().error({ err: error, limit: name }, 'limit.failed');
}

/** Upper bound on windows in memory, because a client chooses its keys. The oldest are dropped. */
const KEYS_MAX = 100_000;

type CountsInMemory = {
  /** Returns the window of a key, if it has not ended. */
  find(key: string): Count | undefined;
  start(key: string, window: Count): Count;
  take(key: string, window: { seconds: number }, points?: number): Count;
  forget(key: string): void;
};

/** Returns the counts of this process: exhausted limits, and all calls while the database is unreachable. */
const countsInMemory = processState(() => countInMemory());

/** Returns counts of at most `keysMax` windows. */
export function countInMemory(keysMax = KEYS_MAX): CountsInMemory {
  // In the order of their start.
  const windows = new Map<string, Count>();

  function find(key: string): Count | undefined {
    const window = windows.get(key);
    return window && window.endsAt > Date.now() ? window : undefined;
  }

  function start(key: string, window: Count): Count {
    windows.delete(key);
    const [oldest] = windows.size >= keysMax ? windows.keys() : [];
    if (oldest !== undefined) windows.delete(oldest);
    windows.set(key, window);
    return window;
  }

  return {
    find,
    start,
    take: (key, { seconds }, points = 1) => {
      const open = find(key);
      if (!open) return start(key, { count: points, endsAt: Date.now() + seconds * 1_000 });
      open.count += points;
      return open;
    },
    forget: (key) => void windows.delete(key),
  };
}
