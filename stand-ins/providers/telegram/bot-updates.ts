import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, type ProviderRequest, textOf } from '../../http/bodies.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { Account, Bot } from '../state.ts';
import { telegramError, telegramOk } from './telegram-kind.ts';

/** Updates that a bot must ask for. @see https://core.telegram.org/bots/api#getting-updates */
const NOT_BY_DEFAULT = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);
/** Updates beyond these are dropped, oldest first. */
const PENDING_MAX = 1_000;
const LIMIT_MAX = 100;
/** Telegram closes a request after 50 seconds. */
const WAIT_MAX_SECONDS = 50;

/** Returns whether a bot asked for updates of this type. */
export function wantsUpdate({ allowedUpdates }: Bot, update: unknown): boolean {
  const type = isRecord(update) ? Object.keys(update).find((key) => key !== 'update_id') : undefined;
  if (type === undefined) return true;
  return allowedUpdates.length === 0 ? !NOT_BY_DEFAULT.has(type) : allowedUpdates.includes(type);
}

/** Keeps an update for `getUpdates`, and ends the call that waits for it. */
export function keepUpdate(bot: Bot, update: unknown): void {
  bot.pending.push(update as Bot['pending'][number]);
  if (bot.pending.length > PENDING_MAX) bot.pending.shift();
  bot.endWait?.('update');
}

/** Stores the types of updates that a call asks for. Without the parameter the types stay. */
export function changeAllowedUpdates(bot: Bot, { fields }: ProviderRequest): void {
  const { allowed_updates: asked } = fields;
  const list: unknown = typeof asked === 'string' ? parseList(asked) : asked;
  if (Array.isArray(list)) bot.allowedUpdates = list.map(textOf).filter(Boolean);
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `getUpdates`: waits for an update up to `timeout` seconds. A second call ends the first. */
export async function getUpdates({ bot, address }: Account, request: ProviderRequest): Promise<HttpResponse> {
  if (address) {
    return telegramError(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  const { fields } = request;
  changeAllowedUpdates(bot, request);
  const offset = Number(textOf(fields.offset) || 0);
  if (offset > 0) bot.pending = bot.pending.filter(({ update_id }) => update_id >= offset);
  if (offset < 0) bot.pending = bot.pending.slice(offset);
  bot.endWait?.('conflict');
  const seconds = Math.min(Number(textOf(fields.timeout) || 0), WAIT_MAX_SECONDS);
  if (bot.pending.length === 0 && seconds > 0 && (await waitForUpdate(bot, seconds)) === 'conflict') {
    return telegramError(
      409,
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    );
  }
  const limit = Math.min(Math.max(Number(textOf(fields.limit) || LIMIT_MAX), 1), LIMIT_MAX);
  return telegramOk(bot.pending.slice(0, limit));
}

async function waitForUpdate(bot: Bot, seconds: number): Promise<'update' | 'conflict' | 'timeout'> {
  const ended = new AbortController();
  const { promise, resolve } = Promise.withResolvers<'update' | 'conflict'>();
  bot.endWait = resolve;
  const timeout = sleep(seconds * 1_000, 'timeout' as const, { signal: ended.signal, ref: false });
  const result = await Promise.race([promise, timeout]);
  ended.abort();
  await timeout.catch(() => undefined);
  if (bot.endWait === resolve) bot.endWait = null;
  return result;
}
