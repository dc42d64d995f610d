import { ErrorCode, LogLevel, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { settings } from '#server/core/env.ts';
import { faultWithoutResult, jsonOf, ProviderFault, requestProvider } from '#server/core/provider-request.ts';

/** An error of a call: its name, and for `ratelimited` the seconds to wait. */
export type SlackRefusal = { error: string; retryAfterSeconds: number | null };

/** Host of Slack's files, besides the API's host. */
const FILES_HOST = 'files.slack.com';

/** Creates a client for a bot token, without retries and without a queue, as a reply has only ten seconds. */
export function slackClient(token: string, signal?: AbortSignal): WebClient {
  return new WebClient(token, {
    slackApiUrl: settings().SLACK_API_URL,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
    logger: SILENT,
    fetch: async (url, init = {}) => {
      const { method, headers = {}, body } = init;
      const address = String(url);
      if (!isSlackAddress(address)) throw new ProviderFault('refused', 'The URL is not Slack’s.');
      const response = await requestProvider({
        url: address,
        method: method === 'GET' ? 'GET' : 'POST',
        headers,
        ...(body === undefined ? {} : { body }),
        signal: signal && init.signal ? AbortSignal.any([signal, init.signal]) : (signal ?? init.signal),
      });
      if (response.status === 200 && isMethod(address) && !answer.safeParse(jsonOf(response)).success) {
        // The library takes it for an error of Slack, although Slack may have done what was asked.
        throw faultWithoutResult('Slack', response.status);
      }
      const known = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      return new Response(Uint8Array.from(response.body), { status: response.status, headers: known });
    },
  });
}

/** Every answer of a method says whether it is an error (docs.slack.dev, Web API, evaluating responses). */
const answer = z.object({ ok: z.boolean() });

/** Returns whether an address is a method of the Web API, and not an upload. */
function isMethod(address: string): boolean {
  const { pathname } = new URL(address);
  const { pathname: api } = new URL(settings().SLACK_API_URL);
  return pathname.startsWith(api) && !pathname.slice(api.length).includes('/');
}

/**
 * Returns true for a URL of Slack's API or file host. The service never fetches other URLs that a Slack user chose.
 */
export function isSlackAddress(address: string): boolean {
  const url = URL.parse(address);
  const api = new URL(settings().SLACK_API_URL);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.origin === api.origin) return true;
  return api.hostname === 'slack.com' && url.protocol === 'https:' && url.host === FILES_HOST;
}

/** Returns Slack's refusal. Throws everything else, provider faults as ProviderFault. */
export function slackRefusalOf(error: unknown): SlackRefusal {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  switch (error.code) {
    case ErrorCode.PlatformError: {
      const data: unknown = Reflect.get(error, 'data');
      const name = typeof data === 'object' && data !== null ? Reflect.get(data, 'error') : undefined;
      return { error: String(name ?? 'unknown'), retryAfterSeconds: null };
    }
    case ErrorCode.RateLimitedError:
      return { error: 'ratelimited', retryAfterSeconds: Number(Reflect.get(error, 'retryAfter')) };
    case ErrorCode.RequestError: {
      const original: unknown = Reflect.get(error, 'original');
      throw original instanceof ProviderFault
        ? original
        : new ProviderFault('unreachable', 'Slack could not be reached.');
    }
    case ErrorCode.HTTPError:
      throw faultWithoutResult('Slack', Number(Reflect.get(error, 'statusCode')));
    default:
      throw error;
  }
}

const nothing = () => undefined;
/** Silences the library's logger, which could log message contents. Our own log has the outcome. */
const SILENT = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

/** Errors for an invalid token (docs.slack.dev, errors of every method). */
const TOKEN_ERRORS = ['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'];

/** Returns true when the account must be connected again. */
export function isTokenError(error: string): boolean {
  return TOKEN_ERRORS.includes(error);
}

/** Text in angle brackets with an optional label (docs.slack.dev, formatting message text). */
const LINK = /<([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g;

/**
 * Converts a Slack message to plain text: links become URLs, mentions become names where Slack sends them, and entities
 * become characters.
 * @param botUserId the bot; mentions of the bot are removed
 */
export function parseSlackText(text: string, botUserId: string): string {
  return text
    .replaceAll(LINK, (_all, target: string, label: string | undefined) =>
      plainLink(target, label, botUserId),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
}

function plainLink(target: string, label: string | undefined, botUserId: string): string {
  if (target === `@${botUserId}`) return '';
  if (target.startsWith('@') || target.startsWith('#')) return label ? `${target.charAt(0)}${label}` : target;
  if (target.startsWith('!')) return label ?? `@${target.slice(1).split('^', 1)[0]}`;
  const address = target.replace(/^mailto:/, '');
  return label && label !== address && label !== target ? `${label} (${address})` : address;
}

/** Escapes the three characters with a special meaning in Slack. */
export function writeSlackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
