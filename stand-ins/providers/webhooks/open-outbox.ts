import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../../http/log.ts';
import { uuid } from '../make-ids.ts';
import type { Outbox, Providers } from '../providers.ts';
import { changed } from '../providers.ts';
import { type Account, addNewest, keyOf, type WebhookCall } from '../state.ts';
import { keepUpdate, wantsUpdate } from '../telegram/bot-updates.ts';
import { writeBody, writeHeaders } from './write-webhook.ts';

/** Timeout of a webhook, in ms. Slack waits 3 seconds; the stand-in waits no longer for other providers. */
const TIMEOUT_MS = 3_000;
/** Delays before retries, in ms; far shorter than the providers' own, which reach hours. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
/** Slack stops after three retries. */
const SLACK_RETRIES = 3;
/** Time to collect updates that are delivered newest first, in ms. */
const GATHER_MS = 400;

/** Opens one queue per account. Each update is posted as often as the account's switches say. */
export function openOutbox(providers: Pick<Providers, 'state' | 'stream'>): Outbox {
  const closing = new AbortController();
  const queues = new Map<string, Promise<void>>();
  const gathered = new Map<string, (() => Promise<void>)[]>();

  function enqueue(account: Account, work: () => Promise<void>): void {
    const key = keyOf(account);
    const before = queues.get(key) ?? Promise.resolve();
    queues.set(key, before.then(work).catch(logFault));
  }

  function gather(account: Account, work: () => Promise<void>): void {
    const key = keyOf(account);
    const waiting = gathered.get(key) ?? [];
    waiting.push(work);
    gathered.set(key, waiting);
    if (waiting.length > 1) return;
    enqueue(account, async () => {
      await sleep(GATHER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      gathered.delete(key);
      for (const each of waiting.toReversed()) await each();
    });
  }

  return {
    put(account, update) {
      const { address } = account;
      if (account.channel === 'telegram' && !wantsUpdate(account.bot, update)) return;
      if (!address && account.channel === 'telegram') keepUpdate(account.bot, update);
      if (!address) return;
      const body = writeBody(account, update);
      const copies = Array.from({ length: account.switches.times }, () =>
        makeCall(providers, account, address, body),
      );
      const work = async () => {
        await Promise.all(copies.map((call) => deliver(providers, account, call, closing.signal)));
      };
      if (account.switches.reversed) gather(account, work);
      else enqueue(account, work);
    },
    async settled() {
      await Promise.all(queues.values());
    },
    close() {
      closing.abort();
    },
  };
}

function makeCall(
  { state }: Pick<Providers, 'state'>,
  account: Account,
  url: string,
  body: string,
): WebhookCall {
  const call: WebhookCall = {
    id: uuid(),
    account: keyOf(account),
    method: 'POST',
    url,
    headers: {},
    body,
    attempts: [],
  };
  addNewest(state.webhookCalls, call);
  return call;
}

/** Posts once and waits for the outcome. Retries run in the background, as an update must not block later updates. */
async function deliver(
  providers: Pick<Providers, 'stream'>,
  account: Account,
  call: WebhookCall,
  signal: AbortSignal,
): Promise<void> {
  const wasAccepted = await attempt(providers, account, call, signal);
  if (wasAccepted) return;
  const again = retry(providers, account, call, signal).catch(logFault);
  // Telegram keeps the order of a bot's updates, so later updates wait.
  if (account.channel === 'telegram') await again;
}

async function retry(
  providers: Pick<Providers, 'stream'>,
  account: Account,
  call: WebhookCall,
  signal: AbortSignal,
): Promise<void> {
  const delays = account.channel === 'slack' ? RETRY_MS.slice(0, SLACK_RETRIES) : RETRY_MS;
  for (const delay of delays) {
    await sleep(delay, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted || account.address !== call.url) return;
    if (await attempt(providers, account, call, signal)) return;
  }
}

/** Posts once. Returns true for a 2xx response. */
async function attempt(
  providers: Pick<Providers, 'stream'>,
  account: Account,
  call: WebhookCall,
  signal: AbortSignal,
): Promise<boolean> {
  const reason = call.attempts.at(-1)?.status === null ? 'http_timeout' : 'http_error';
  const headers = writeHeaders(account, call.body, call.attempts.length, reason);
  call.headers = headers;
  const at = new Date();
  let status: number | null = null;
  let problem: string | null = null;
  try {
    const response = await fetch(call.url, {
      method: 'POST',
      headers,
      body: call.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    status = response.status;
    await response.arrayBuffer();
  } catch (error) {
    problem = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  }
  call.attempts.push({ at, status, problem });
  log('providers.webhook_attempted', { account: call.account, attempt: call.attempts.length, status });
  changed(providers);
  return status !== null && status >= 200 && status < 300;
}

function logFault(error: unknown): void {
  log('providers.fault', { message: error instanceof Error ? error.message : 'unknown' });
}
