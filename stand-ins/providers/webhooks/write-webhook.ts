import type { Account } from '../state.ts';
import { metaJson, metaSignature, slackSignature, telegramSecret } from './sign.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Serializes an update as its provider does; every attempt sends the same bytes. */
export function writeBody({ channel }: Account, update: unknown): string {
  return channel === 'telegram' || channel === 'slack' ? JSON.stringify(update) : metaJson(update);
}

/**
 * Returns the headers of an attempt. Slack signs each attempt separately, as the signature covers the timestamp.
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
