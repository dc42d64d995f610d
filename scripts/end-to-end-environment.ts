type Environment = Record<string, string | undefined>;

/**
 * The ports of the service under test, beside those of a developer's `npm start`. `npm test` names others in
 * the environment where these are taken.
 */
export const END_TO_END_PORTS = { E2E_PORT: 3100, E2E_PLATFORM_PORT: 4100, E2E_PLATFORM_HOOKS_PORT: 4543 };

/** Where the flows find the service and the stand-in platform. */
export function endToEndAddresses(env: Environment): { service: string; platform: string } {
  const ports = portsIn(env);
  return { service: `http://localhost:${ports.PORT}`, platform: `http://localhost:${ports.PLATFORM_PORT}` };
}

/**
 * The environment of the service under test. What a developer has set, in the shell or in `.env`, is blanked:
 * the tests must never touch their database, platform or mail server.
 */
export function endToEndEnvironment(env: Environment): Record<string, string> {
  return {
    ...Object.fromEntries(BLANKED.map((name) => [name, ''])),
    ...portsIn(env),
    DATA_DIR: '.data/e2e',
    DELIVERY_RETRY_DELAYS: '1,1,1,1',
    RATING_REQUEST_DELAY: '1',
  };
}

function portsIn(env: Environment) {
  return {
    PORT: env.E2E_PORT || `${END_TO_END_PORTS.E2E_PORT}`,
    PLATFORM_PORT: env.E2E_PLATFORM_PORT || `${END_TO_END_PORTS.E2E_PLATFORM_PORT}`,
    PLATFORM_HOOKS_PORT: env.E2E_PLATFORM_HOOKS_PORT || `${END_TO_END_PORTS.E2E_PLATFORM_HOOKS_PORT}`,
  };
}

const BLANKED = [
  'HOST',
  'BASE_URL',
  'DATABASE_URL',
  'DB_POOL_MAX',
  'PLATFORM_CLIENT_ID',
  'PLATFORM_CLIENT_SECRET',
  'PLATFORM_RETURN_URL',
  'PLATFORM_DATA_DIR',
  'SERVICE_URL',
  'HOOKS_HOST',
  'HOOKS_CONNECT_TO',
  'HOOKS_CA_FILE',
  'HOOK_MAX_IN_FLIGHT',
  'HOOK_MAX_PER_SECOND',
  'WORKER_CONCURRENCY',
  'HISTORY_DAYS',
  'SESSION_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_DIR',
  'REDIS_URL',
  'TRUST_PROXY',
  'METRICS_PORT',
  'SERVICE_NAME',
  'PLATFORM_NAME',
  'LOG_LEVEL',
];
