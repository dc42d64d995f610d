import type { Account } from '../state.ts';
import { metaJson, metaSignature, slackSignature, telegramSecret } from './sign.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The body of an update as its provider writes it: the same bytes in every attempt. */
export function writeBody({ channel }: Account, update: unknown): string {
  return channel === 'telegram' || channel === 'slack' ? JSON.stringify(update) : metaJson(update);
}

/**
 * The headers of one attempt. Slack signs each attempt again, as the timestamp is part of it.
 * @param attempt 0 for the first
 */
export function writeHeaders(
  account: Account,
  body: string,
  attempt: number,
  reason: string,
): Record<string, string> {
  const { channel, secret } = account;
  if (channel === 'telegram') return { ...JSON_TYPE, ...telegramSecret(secret) };
  if (channel !== 'slack') {
    return { ...JSON_TYPE, 'User-Agent': 'facebookexternalua', ...metaSignature(body, secret) };
  }
  const retry = { 'X-Slack-Retry-Num': String(attempt), 'X-Slack-Retry-Reason': reason };
  return {
    ...JSON_TYPE,
    'User-Agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    ...slackSignature(body, secret, Math.floor(Date.now() / 1_000)),
    ...(attempt > 0 ? retry : {}),
  };
}
