import { join } from 'node:path';
import { chooseFreePort } from '#scripts/tools/ports.ts';
import { UserError } from '#server/core/user-error.ts';

type Environment = Record<string, string | undefined>;

/** Decision of `planStart`, with the settings that `npm start` adds. */
export type StartPlan = {
  /** Without `DATABASE_URL`: embedded PostgreSQL with demo data. */
  embedded: boolean;
  /** Without settings of a platform: the stand-in runs. */
  standIn: boolean;
  ports: { PORT: number; PLATFORM_PORT: number; PLATFORM_HOOKS_PORT: number };
  /** Ports of the stand-in for providers and mail. Null when it does not run. */
  providers: { PROVIDERS_PORT: number; PROVIDERS_SMTP_PORT: number; INBOUND_SMTP_PORT: number } | null;
  /** Ports of metrics. The worker has the port after the server's. */
  metricsPorts: { server: number; worker: number } | null;
  baseUrl: string;
  settings: Record<string, string>;
};

/**
 * Decides what `npm start` runs. The user's values win; `settings` contains only what is added.
 * @throws UserError for a port that is invalid or used twice
 */
export function planStart(env: Environment, dataDir: string): StartPlan {
  const embedded = !env.DATABASE_URL;
  const standIn = embedded && PLATFORM_SETTINGS.every((name) => !env[name]);
  const ports = {
    PORT: portOf(env, 'PORT', 3000),
    PLATFORM_PORT: portOf(env, 'PLATFORM_PORT', 4000),
    PLATFORM_HOOKS_PORT: portOf(env, 'PLATFORM_HOOKS_PORT', 4443),
  };
  const providers = embedded ? providersPorts(env, ports.PORT) : null;
  const taken = [...Object.values(standIn ? ports : [ports.PORT]), ...Object.values(providers ?? {})];
  const metricsPorts = env.METRICS_PORT ? metricsPortsOf(env, taken) : null;
  const baseUrl = env.BASE_URL || `http://localhost:${ports.PORT}`;
  const values = {
    PORT: ports.PORT,
    BASE_URL: baseUrl,
    MAIL_DIR: join(dataDir, 'mail'),
    ...(embedded ? DEMO : {}),
    ...(providers ? { ...providers, ...providersSettings(providers), SERVICE_URL: baseUrl } : {}),
    ...(standIn ? { ...ports, ...standInSettings(ports, join(dataDir, 'platform')) } : {}),
  };
  const added = Object.entries(values).filter(([name]) => !env[name]);
  const settings = Object.fromEntries(added.map(([name, value]) => [name, `${value}`]));
  return { embedded, standIn, ports, providers, metricsPorts, baseUrl, settings };
}

const DEMO = {
  DEMO: 1,
  PLATFORM_CLIENT_ID: 'workflow-platform',
  PLATFORM_CLIENT_SECRET: 'demo-platform-secret',
};

function providersSettings({ PROVIDERS_PORT, PROVIDERS_SMTP_PORT }: NonNullable<StartPlan['providers']>) {
  const url = `http://localhost:${PROVIDERS_PORT}`;
  return {
    META_API_URL: `${url}/meta`,
    TELEGRAM_API_URL: `${url}/telegram`,
    SLACK_API_URL: `${url}/slack/api/`,
    DNS_SERVERS: `127.0.0.1:${PROVIDERS_PORT}`,
    SSO_PRIVATE_HOSTS: 'localhost',
    // Its certificate is self-signed.
    SMTP_URL: `smtp://localhost:${PROVIDERS_SMTP_PORT}?ignoreTLS=true`,
  };
}

function standInSettings({ PLATFORM_PORT, PLATFORM_HOOKS_PORT }: StartPlan['ports'], folder: string) {
  return {
    PLATFORM_RETURN_URL: `http://localhost:${PLATFORM_PORT}/dashboard/auth/oauth/return/App1/`,
    HOOKS_HOST: 'hooks.workflow-platform.test',
    HOOKS_CONNECT_TO: `127.0.0.1:${PLATFORM_HOOKS_PORT}`,
    HOOKS_CA_FILE: join(folder, 'hooks-ca.pem'),
    PLATFORM_DATA_DIR: folder,
  };
}

/**
 * Sets the ports of the stand-in for providers and of incoming mail that the user did not name: the usual ones, or any
 * free ones. Returns the named ones. Does nothing when the stand-in does not run.
 * @throws UserError when a port that the user named is invalid
 */
export async function chooseProvidersPorts(env: Environment): Promise<NamedPort[]> {
  const named: NamedPort[] = [];
  for (const [setting, port] of Object.entries(planStart(env, '').providers ?? {})) {
    if (env[setting]) named.push({ port, setting });
    else env[setting] = String(await chooseFreePort(port));
  }
  return named;
}

type NamedPort = { port: number; setting: string };

/** Returns ports next to the server's, unless the settings name others. */
function providersPorts(env: Environment, port: number): NonNullable<StartPlan['providers']> {
  return {
    PROVIDERS_PORT: portOf(env, 'PROVIDERS_PORT', nextTo(port, 3)),
    PROVIDERS_SMTP_PORT: portOf(env, 'PROVIDERS_SMTP_PORT', nextTo(port, 4)),
    INBOUND_SMTP_PORT: portOf(env, 'INBOUND_SMTP_PORT', 2525),
  };
}

function nextTo(port: number, distance: number): number {
  return port + distance <= 65_535 ? port + distance : port - distance;
}

function portOf(env: Environment, name: string, fallback: number): number {
  const text = env[name] || String(fallback);
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UserError(`${name} must be a port from 1 to 65535, not "${text}".`);
}

function metricsPortsOf(env: Environment, taken: number[]): { server: number; worker: number } {
  const server = portOf(env, 'METRICS_PORT', 0);
  const worker = server + 1;
  if (worker <= 65_535 && !taken.includes(server) && !taken.includes(worker)) return { server, worker };
  throw new UserError(
    `METRICS_PORT must leave ${server} to the server's metrics and ${worker} to the worker's: set another one.`,
  );
}

/** Any of these means that there is a real platform. */
const PLATFORM_SETTINGS = [
  'PLATFORM_CLIENT_ID',
  'PLATFORM_CLIENT_SECRET',
  'PLATFORM_RETURN_URL',
  'HOOKS_HOST',
];
