import { ErrorCode, LogLevel, WebClient } from '@slack/web-api';
import { settings } from '#server/core/env.ts';
import { askProvider, ProviderFault, providerFaultIn } from '#server/core/provider-request.ts';

/** What Slack said of a call: its error's name, or for how long it takes no more. */
export type SlackRefusal = { error: string; retryAfterSeconds: number | null };

/** Where Slack keeps files, beside its API. */
const FILES_HOST = 'files.slack.com';

/** A client for a bot's token. It tries nothing again and keeps no queue, as a reply has only ten seconds. */
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
      if (!isSlackAddress(address))
        throw new ProviderFault('refused', 'Slack named an address that is not its own.');
      const response = await askProvider({
        url: address,
        method: method === 'GET' ? 'GET' : 'POST',
        headers,
        ...(body === undefined ? {} : { body }),
        signal: signal && init.signal ? AbortSignal.any([signal, init.signal]) : (signal ?? init.signal),
      });
      const known = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      return new Response(Uint8Array.from(response.body), { status: response.status, headers: known });
    },
  });
}

/**
 * Whether an address is Slack's own: that of its API, or where it keeps files. Nothing that somebody wrote there makes the
 * service call another one.
 */
export function isSlackAddress(address: string): boolean {
  const url = URL.parse(address);
  const api = new URL(settings().SLACK_API_URL);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.origin === api.origin) return true;
  return api.hostname === 'slack.com' && url.protocol === 'https:' && url.host === FILES_HOST;
}

/** What Slack refused, by the name of its error; anything else that went wrong is thrown as a fault of the provider. */
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
    case ErrorCode.RequestError:
      throw (
        providerFaultIn(Reflect.get(error, 'original')) ??
        new ProviderFault('unreachable', 'Slack could not be reached.')
      );
    case ErrorCode.HTTPError:
      throw new ProviderFault('unreachable', `Slack answered ${String(Reflect.get(error, 'statusCode'))}.`);
    default:
      throw error;
  }
}

const nothing = () => undefined;
/** The library's log may hold what was sent, so it is silenced; our own has the outcome. */
const SILENT = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

/** Errors that say that the token ended (docs.slack.dev, errors of every method). */
const TOKEN_ERRORS = ['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'];

/** Whether an error says that the account needs to be connected again. */
export function isTokenError(error: string): boolean {
  return TOKEN_ERRORS.includes(error);
}

/** The text between angle brackets, and what a label may follow with (docs.slack.dev, formatting message text). */
const LINK = /<([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g;

/**
 * A message of Slack as plain text: links by their address, mentions by name where Slack says it, entities as the characters
 * they stand for.
 * @param botUserId the bot itself, whose mention is left out
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

/** The three characters that Slack reads as its own. */
export function writeSlackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
