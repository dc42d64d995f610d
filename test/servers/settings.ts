import { replaceLog } from '#server/core/log.ts';
import { forgetProcessState } from '#server/core/process-state.ts';

/** The platform's credentials and addresses in tests. */
export const PLATFORM = {
  clientId: 'test-platform',
  clientSecret: 'test-platform-secret',
  returnUrl: 'https://platform.test/dashboard/auth/oauth/return/App1/',
  hooksHost: 'hooks.platform.test',
} as const;

const shared = globalThis as typeof globalThis & { testEnvironment?: NodeJS.ProcessEnv };

/**
 * Resets the process, as one process runs many test files in turn: each starts like in a new process. The log stays: each log
 * has a timer, and one log per test file would keep the process busy with its timers.
 */
function forgetService(): void {
  shared.testEnvironment ??= { ...process.env };
  for (const name of Object.keys(process.env)) {
    if (!(name in shared.testEnvironment)) delete process.env[name];
  }
  Object.assign(process.env, shared.testEnvironment);
  forgetProcessState();
}

let changes = 0;

/** Returns a number that `setTestSettings` changes. */
export function settingsVersion(): number {
  return changes;
}

/**
 * Sets the service's environment for tests. Settings are read once per process, so call this before anything
 * reads them.
 */
export function setTestSettings(settings: Record<string, string> = {}): void {
  changes += 1;
  forgetService();
  Object.assign(process.env, {
    // Unreachable on purpose: integration tests set their own database.
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    DATABASE_DIRECT_URL: '',
    DATABASE_REPLICA_URL: '',
    // Set before the port is known: cookies and redirects only need a constant URL.
    BASE_URL: 'http://inbox.test',
    API_HOST: 'api.inbox.test',
    PLATFORM_CLIENT_ID: PLATFORM.clientId,
    PLATFORM_CLIENT_SECRET: PLATFORM.clientSecret,
    PLATFORM_RETURN_URL: PLATFORM.returnUrl,
    HOOKS_HOST: PLATFORM.hooksHost,
    SESSION_SECRET: 'a secret for tests that is long enough',
    SECRETS_KEY: 'a key for tests that is long enough too',
    // Files are stored in the test's database, with the default quota.
    S3_URL: '',
    FILES_QUOTA_MB: '',
    TRUST_PROXY: '1',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...settings,
  });
  replaceLog({ level: process.env.LOG_LEVEL ?? '' });
}
