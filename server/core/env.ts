import { existsSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';
import { processState } from '#server/core/process-state.ts';
import { parseSecretKeys } from '#server/core/seal.ts';
import { loadSecretFiles, SECRET_FILE_SETTINGS } from '#server/core/secret-files.ts';

function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`;
  const error = `must be a whole number${range}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
/** The address of pages, which are at the root of their host. Compared with what browsers send as `Origin`. */
const publicAddress = webAddress
  .refine((value) => /^https?:\/\/[^/?#@]+\/*$/i.test(value), {
    error: 'must be an http or https address without a path or query',
  })
  .transform((value) => URL.parse(value)?.origin ?? value);
const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgresql:// address',
});
/** Texts separated by commas. */
const list = z.string().transform((value) => value.split(',').map((part) => part.trim()));
const FOUR_NUMBERS = /^\s*\d+(\.\d+)?\s*(,\s*\d+(\.\d+)?\s*){3}$/;

const RETRY_DELAYS_MAX = 10;

/** Accepts seconds up to a day. */
function isDelay(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 86_400;
}

const S3_ADDRESS = {
  error:
    'must be https://key:secret@host/bucket, optionally with a prefix after the bucket and ?region=; http ' +
    'only on this machine',
};
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isS3Address(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.username === '' || url.password === '' || url.hash !== '') return false;
  const isPrivate = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return isPrivate && /^\/[^/]+(\/[^/]+)*\/?$/.test(url.pathname);
}

function isSecretKeys(value: string): boolean {
  const keys = value.split(',').map((key) => key.trim());
  return keys.length <= 2 && keys.every((key) => key.length >= 32);
}

const providerAddress = z.string().refine(isProviderAddress, {
  error: 'must be an https address without a query; http only on this machine',
});

function isProviderAddress(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** Accepts `127.0.0.1`, `127.0.0.1:53`, `::1` and `[::1]:53`. */
function isDnsServer(value: string): boolean {
  if (isIP(value) !== 0) return true;
  const colon = value.lastIndexOf(':');
  const host = value.slice(0, colon);
  const port = value.slice(colon + 1);
  const isAddress = isIPv4(host) || (host.startsWith('[') && isIP(host.slice(1, -1)) === 6);
  return isAddress && /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535;
}

const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

const hostList = list
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .refine((hosts) => hosts.every((host) => HOST_NAME.test(host) || isIP(host) !== 0), {
    error: 'must be host names or addresses without port or path, separated by commas',
  });

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(1, 65535).default(3000),
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number from 0 to 1')
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .default(1),
  BASE_URL: publicAddress.optional(),
  API_HOST: z
    .string()
    .regex(HOST_NAME, 'must be a host name without port or path')
    .transform((host) => host.toLowerCase())
    .optional(),
  TOKEN_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9]{1,19}$/, 'must be 2 to 20 lowercase letters and digits, the first a letter')
    .default('inbox'),
  DATABASE_URL: databaseAddress,
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  DATABASE_REPLICA_URL: databaseAddress.optional(),
  DB_POOL_MAX: wholeNumber(10).default(20),
  PLATFORM_CLIENT_ID: z.string().min(1),
  PLATFORM_CLIENT_SECRET: list.refine(
    (secrets) => secrets.length <= 2 && secrets.every((secret) => secret !== ''),
    { error: 'must be one secret, or two separated by a comma while the secret is being changed' },
  ),
  PLATFORM_RETURN_URL: webAddress.refine((value) => value.length <= 500, {
    error: 'must be at most 500 characters',
  }),
  HOOKS_HOST: z.string().regex(HOST_NAME, 'must be a host name without port or path'),
  HOOKS_CONNECT_TO: z
    .string()
    .refine((value) => /^[^\s/@]+:\d+$/.test(value) && URL.canParse(`https://${value}`), {
      error: 'must be host:port',
    })
    .optional(),
  HOOKS_CA_FILE: z.string().optional(),
  DELIVERY_RETRY_DELAYS: z
    .string()
    .default('30,120,600,1800')
    .refine((value) => FOUR_NUMBERS.test(value), {
      error: 'must be four numbers of seconds, separated by commas',
    })
    .transform((value) => value.split(',').map(Number)),
  WEBHOOK_RETRY_DELAYS: list
    .default(['5', '300', '1800', '7200', '18000', '36000', '50400', '72000', '86400'])
    .refine((delays) => delays.length <= RETRY_DELAYS_MAX && delays.every(isDelay), {
      error: `must be one to ${RETRY_DELAYS_MAX} whole numbers of seconds up to 86400, separated by commas`,
    })
    .transform((delays) => delays.map(Number)),
  WEBHOOK_PRIVATE_HOSTS: hostList.optional(),
  SSO_PRIVATE_HOSTS: hostList.optional(),
  PUSH_PRIVATE_HOSTS: hostList.optional(),
  MAIL_RETRY_DELAYS: list
    .default(['60', '300', '900', '3600'])
    .refine((delays) => delays.length <= RETRY_DELAYS_MAX && delays.every(isDelay), {
      error: `must be one to ${RETRY_DELAYS_MAX} whole numbers of seconds up to 86400, separated by commas`,
    })
    .transform((delays) => delays.map(Number)),
  HOOK_MAX_IN_FLIGHT: wholeNumber(1).default(10),
  HOOK_MAX_PER_SECOND: wholeNumber(0, 1000).default(0),
  RATING_REQUEST_DELAY: wholeNumber(0, 86_400).default(600),
  HISTORY_DAYS: wholeNumber(1, 3650).default(14),
  WORKER_CONCURRENCY: wholeNumber(2).default(100),
  SECRETS_KEY: z
    .string()
    .refine(isSecretKeys, {
      error:
        'must be at least 32 characters, or two keys of that length separated by a comma while it is changed',
    })
    .transform(parseSecretKeys)
    .optional(),
  META_API_URL: providerAddress.default('https://graph.facebook.com'),
  TELEGRAM_API_URL: providerAddress.default('https://api.telegram.org'),
  SLACK_API_URL: providerAddress
    .refine((value) => value.endsWith('/api/'), { error: 'must end in /api/' })
    .default('https://slack.com/api/'),
  SESSION_SECRET: z.string().min(32, 'must be at least 32 characters'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.email('must be an email address without a name').optional(),
  MAIL_DIR: z.string().default('.data/mail'),
  DNS_SERVERS: list
    .refine((servers) => servers.every(isDnsServer), {
      error:
        'must be addresses of name servers with or without a port, separated by commas, as in 192.0.2.53:53',
    })
    .optional(),
  INBOUND_SMTP_PORT: wholeNumber(1, 65535).optional(),
  INBOUND_MAIL_HOST: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,200}[a-z0-9])?$/i, 'must be a host name without port')
    .transform((host) => host.toLowerCase())
    .optional(),
  INBOUND_SMTP_CERT_FILE: z.string().optional(),
  INBOUND_SMTP_KEY_FILE: z.string().optional(),
  S3_URL: z.string().refine(isS3Address, S3_ADDRESS).optional(),
  FILES_QUOTA_MB: wholeNumber(1, 1_000_000).default(5_000),
  TRUST_PROXY: wholeNumber(0).default(0),
  SERVICE_NAME: z.string().default('Shared Inbox'),
  PLATFORM_NAME: z.string().default('Workflow Platform'),
  DEMO: z
    .enum(['0', '1'], 'must be 0 or 1')
    .default('0')
    .transform((value) => value === '1'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** Names of all environment variables of the service. */
export const SETTING_NAMES: readonly string[] = [...Object.keys(schema.shape), ...SECRET_FILE_SETTINGS];

/** The parsed settings. `BASE_URL` is an origin, without a trailing slash. */
export type Settings = Omit<z.output<typeof schema>, 'BASE_URL'> & { BASE_URL: string };

/**
 * Parses settings from environment variables; an empty value counts as unset.
 * @throws Error whose message has one line per missing or malformed setting
 */
export function parseSettings(source: Record<string, string | undefined>): Settings {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.superRefine(requirePair).superRefine(requireOtherHost).safeParse(set);
  if (!result.success) {
    const lines = new Map<string, string>();
    for (const issue of result.error.issues) {
      const name = issue.path.join('.');
      if (lines.has(name)) continue;
      lines.set(
        name,
        set[name] === undefined
          ? `${name} is not set. See .env.example for what it means.`
          : `${name} is not valid: ${issue.message}.`,
      );
    }
    throw new Error([...lines.values()].join('\n'));
  }
  const { BASE_URL = `http://localhost:${result.data.PORT}`, ...rest } = result.data;
  return { ...rest, BASE_URL };
}

/** Settings that are needed together: with one of them, the service would ignore the operator's certificate. */
const PAIR = ['INBOUND_SMTP_CERT_FILE', 'INBOUND_SMTP_KEY_FILE'] as const;

function requirePair(settings: z.output<typeof schema>, context: z.RefinementCtx): void {
  const missing = PAIR.filter((name) => settings[name] === undefined);
  if (missing.length === 1) context.addIssue({ code: 'custom', path: missing });
}

/** The host of the API serves nothing else: the same host would have no pages. */
function requireOtherHost({ API_HOST, BASE_URL }: z.output<typeof schema>, context: z.RefinementCtx): void {
  if (API_HOST === undefined || URL.parse(BASE_URL ?? '')?.hostname !== API_HOST) return;
  context.addIssue({
    code: 'custom',
    path: ['API_HOST'],
    message: 'must be another host than that of BASE_URL',
  });
}

/** Returns the settings of this process, read once. A `.env` file and secret files supply what the environment does not set. */
export const settings = processState((): Settings => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  loadSecretFiles(process.env);
  return parseSettings(process.env);
});

/** Returns whether npm started this process. Its parent is then a shell that npm started. */
export function isStartedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}

/** Path of `{api_base}` in the specification. */
export const API_PATH = '/api/automation/v1';

/** Path of the developer API on the host of `BASE_URL`, and on `API_HOST`. */
export const DEVELOPER_API_PATH = '/api/v1';
export const API_HOST_PATH = '/v1';
