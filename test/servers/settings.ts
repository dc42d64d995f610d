/** The platform's credentials and addresses in tests. */
export const PLATFORM = {
  clientId: 'test-platform',
  clientSecret: 'test-platform-secret',
  returnUrl: 'https://platform.test/dashboard/auth/oauth/return/App1/',
  hooksHost: 'hooks.platform.test',
} as const;

/**
 * What the service keeps for the life of a process begins with one of these names. The log stays: each has a timer, and with
 * one for each file a process did little else in the end than to write nothing.
 */
const KEPT = /^(service(?!Log$)[A-Z]|publisher$)/;
const shared = globalThis as typeof globalThis & {
  testEnvironment?: NodeJS.ProcessEnv;
  serviceLog?: { level: string };
};

/** One process runs many test files, one after the other: each begins as a new process would. */
function forgetService(): void {
  shared.testEnvironment ??= { ...process.env };
  for (const name of Object.keys(process.env)) {
    if (!(name in shared.testEnvironment)) delete process.env[name];
  }
  Object.assign(process.env, shared.testEnvironment);
  for (const name of Object.keys(globalThis)) if (KEPT.test(name)) Reflect.deleteProperty(globalThis, name);
}

/**
 * Sets what the service reads from its environment, as tests have it. Settings are read once in a process, so
 * this comes before anything that asks for them.
 */
export function setTestSettings(settings: Record<string, string> = {}): void {
  forgetService();
  Object.assign(process.env, {
    // A database that no one asks; integration tests name theirs.
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    DATABASE_DIRECT_URL: '',
    // Known before the port is: cookies and redirects need only that it stays the same.
    BASE_URL: 'http://inbox.test',
    PLATFORM_CLIENT_ID: PLATFORM.clientId,
    PLATFORM_CLIENT_SECRET: PLATFORM.clientSecret,
    PLATFORM_RETURN_URL: PLATFORM.returnUrl,
    HOOKS_HOST: PLATFORM.hooksHost,
    SESSION_SECRET: 'a secret for tests that is long enough',
    SECRETS_KEY: 'a key for tests that is long enough too',
    // Files are kept in the database of the test, and as much of them as is usual.
    S3_URL: '',
    FILES_QUOTA_MB: '',
    TRUST_PROXY: '1',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...settings,
  });
  if (shared.serviceLog) shared.serviceLog.level = process.env.LOG_LEVEL ?? '';
}
