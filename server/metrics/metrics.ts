import { Counter, Histogram, Registry } from 'prom-client';
import { EVENT_KEYS } from '#server/events/catalogue.ts';
import { AttemptOutcome } from '#server/generated/prisma/enums.ts';
import type { LimitName } from '#server/limits/limits.ts';
import { TOKEN_ERROR_STATUSES, type TokenError } from '#server/oauth/token-error.ts';

/** What a token request came to: tokens, an error of RFC 6749, or a fault of ours. */
export type TokenResult = 'issued' | TokenError['error'] | 'fault';
/**
 * What a call of a limit came to. `uncounted`: counting failed and the call passed; `_alone`: it failed and this
 * process counted for itself.
 */
export type LimitResult = 'passed' | 'refused' | 'uncounted' | 'passed_alone' | 'refused_alone';

/** Seconds; an attempt takes 15 at most (spec.md §6). */
const ATTEMPT_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

const GRANTS = ['authorization_code', 'refresh_token', 'unknown'] as const;
const TOKEN_RESULTS = ['issued', ...Object.keys(TOKEN_ERROR_STATUSES), 'fault'];
const LIMIT_RESULTS: LimitResult[] = ['passed', 'refused', 'uncounted', 'passed_alone', 'refused_alone'];
const LIMIT_NAMES = Object.keys({
  api: true,
  token: true,
  approval: true,
  unknown_token: true,
  sign_in: true,
  sign_in_failure: true,
  sign_in_account: true,
  sign_in_browser: true,
  password_check: true,
  reset_address: true,
  reset_account: true,
  reset_browser: true,
  reset_mail: true,
  invitation: true,
  domain_check: true,
  chat_visitor: true,
  chat_message: true,
  chat_address: true,
  chat_read: true,
  chat_read_address: true,
  chat_file_kib: true,
  chat_file_kib_address: true,
  attachment: true,
  inbound_mail: true,
  inbound_mail_recipient: true,
  rating: true,
  webhook_address: true,
  webhook_refused: true,
  channel_check: true,
} satisfies Record<LimitName, true>);

export type Grant = (typeof GRANTS)[number];

const shared = globalThis as typeof globalThis & { serviceMetrics?: ReturnType<typeof makeMetrics> };

/**
 * What this process counts, once in it: Next has its own copy of this module. Labels are small fixed sets, never ids.
 */
export function metrics(): ReturnType<typeof makeMetrics> {
  shared.serviceMetrics ??= makeMetrics();
  return shared.serviceMetrics;
}

/** Every series begins at 0, so that the first of its kind is seen as an increase. */
function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const attempts = new Counter({
    name: 'inbox_delivery_attempts_total',
    help: 'Attempts to deliver an event, by what they met.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of Object.values(AttemptOutcome)) attempts.inc({ outcome }, 0);
  const attemptSeconds = new Histogram({
    name: 'inbox_delivery_attempt_seconds',
    help: 'How long an attempt took, whatever it met.',
    buckets: ATTEMPT_BUCKETS,
    registers,
  });
  const events = new Counter({
    name: 'inbox_events_total',
    help: 'Events handed to the hooks that listen for them, by key.',
    labelNames: ['event'],
    registers,
  });
  for (const event of EVENT_KEYS) events.inc({ event }, 0);
  const tokens = new Counter({
    name: 'inbox_tokens_total',
    help: 'Answers of the token endpoint, by grant and result.',
    labelNames: ['grant', 'result'],
    registers,
  });
  for (const grant of GRANTS) for (const result of TOKEN_RESULTS) tokens.inc({ grant, result }, 0);
  const revocations = new Counter({
    name: 'inbox_revocations_total',
    help: 'Answers of the revoke endpoint, by result.',
    labelNames: ['result'],
    registers,
  });
  for (const result of ['answered', 'invalid_client', 'invalid_request', 'fault'])
    revocations.inc({ result }, 0);
  const limitCalls = new Counter({
    name: 'inbox_limit_calls_total',
    help: 'Calls of a limit, by what became of them.',
    labelNames: ['limit', 'result'],
    registers,
  });
  for (const limit of LIMIT_NAMES) for (const result of LIMIT_RESULTS) limitCalls.inc({ limit, result }, 0);
  return { registry, attempts, attemptSeconds, events, tokens, revocations, limitCalls };
}
