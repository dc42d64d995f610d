import { describe, expect, test } from 'vitest';
import { parseSettings } from '#server/core/env.ts';
import { REQUIRED_SETTINGS } from '#test/fixtures/required-settings.ts';

/** Returns the lines of the error for these settings. */
function problems(settings: Record<string, string | undefined>): string[] {
  try {
    parseSettings(settings);
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n');
  }
  return [];
}

describe('settings', () => {
  test('have the documented defaults', () => {
    expect(parseSettings(REQUIRED_SETTINGS)).toEqual({
      ...REQUIRED_SETTINGS,
      PLATFORM_CLIENT_SECRET: ['a secret'],
      HOST: '127.0.0.1',
      PORT: 3000,
      BASE_URL: 'http://localhost:3000',
      METRICS_HOST: '127.0.0.1',
      OTEL_TRACES_SAMPLER_ARG: 1,
      DB_POOL_MAX: 20,
      DEMO: false,
      DELIVERY_RETRY_DELAYS: [30, 120, 600, 1800],
      WEBHOOK_RETRY_DELAYS: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
      HOOK_MAX_IN_FLIGHT: 10,
      HOOK_MAX_PER_SECOND: 0,
      RATING_REQUEST_DELAY: 600,
      META_API_URL: 'https://graph.facebook.com',
      TELEGRAM_API_URL: 'https://api.telegram.org',
      SLACK_API_URL: 'https://slack.com/api/',
      HISTORY_DAYS: 14,
      WORKER_CONCURRENCY: 100,
      MAIL_DIR: '.data/mail',
      MAIL_RETRY_DELAYS: [60, 300, 900, 3_600],
      FILES_QUOTA_MB: 5_000,
      TOKEN_PREFIX: 'inbox',
      TRUST_PROXY: 0,
      SERVICE_NAME: 'Shared Inbox',
      PLATFORM_NAME: 'Workflow Platform',
      LOG_LEVEL: 'info',
    });
  });

  test('count as unset when they are empty', () => {
    const settings = parseSettings({
      ...REQUIRED_SETTINGS,
      PORT: '',
      HOOKS_CONNECT_TO: '',
      BASE_URL: '',
      LOG_LEVEL: '',
    });
    expect(settings).toEqual(parseSettings(REQUIRED_SETTINGS));
    expect(problems({ ...REQUIRED_SETTINGS, HOOKS_HOST: '' })).toEqual(
      problems({ ...REQUIRED_SETTINGS, HOOKS_HOST: undefined }),
    );
  });

  test('are each reported in a line when they are required and missing', () => {
    expect(problems({}).map((line) => line.split(' ', 1)[0])).toEqual(Object.keys(REQUIRED_SETTINGS));
    expect(problems({})[0]).toBe('DATABASE_URL is not set. See .env.example for what it means.');
  });

  test.each([
    { set: 'INBOUND_SMTP_CERT_FILE', missing: 'INBOUND_SMTP_KEY_FILE' },
    { set: 'INBOUND_SMTP_KEY_FILE', missing: 'INBOUND_SMTP_CERT_FILE' },
  ])('with $set report that $missing is missing, instead of ignoring the certificate', ({ set, missing }) => {
    const line = `${missing} is not set. See .env.example for what it means.`;
    expect(problems({ ...REQUIRED_SETTINGS, [set]: 'mail.pem' })).toEqual([line]);
    expect(problems({ ...REQUIRED_SETTINGS, [set]: 'mail.pem', [missing]: 'other.pem' })).toEqual([]);
  });

  test('write BASE_URL as browsers write an origin', () => {
    for (const BASE_URL of ['HTTPS://Inbox.Test', 'https://inbox.test:443/', 'https://inbox.test//']) {
      expect(parseSettings({ ...REQUIRED_SETTINGS, BASE_URL }).BASE_URL).toBe('https://inbox.test');
    }
  });

  test('derive BASE_URL from the port by default, without a trailing slash', () => {
    expect(parseSettings({ ...REQUIRED_SETTINGS, PORT: '8080' }).BASE_URL).toBe('http://localhost:8080');
    expect(parseSettings({ ...REQUIRED_SETTINGS, BASE_URL: 'https://inbox.test/' }).BASE_URL).toBe(
      'https://inbox.test',
    );
  });

  test('accept one client secret, or two while it is being changed', () => {
    const secrets = (value: string) => parseSettings({ ...REQUIRED_SETTINGS, PLATFORM_CLIENT_SECRET: value });
    expect(secrets('new, old').PLATFORM_CLIENT_SECRET).toEqual(['new', 'old']);
    for (const value of [',', 'a,', 'a,b,c']) {
      expect(problems({ ...REQUIRED_SETTINGS, PLATFORM_CLIENT_SECRET: value }), value).toHaveLength(1);
    }
  });

  test.each([
    'https://key:sec%2Fret@s3.test/bucket',
    'https://key:secret@s3.test:9000/bucket/a/prefix?region=eu-central-1',
    'http://key:secret@localhost:9000/bucket',
    'http://key:secret@127.0.0.1:9000/bucket/',
    'http://key:secret@[::1]:9000/bucket',
  ])('accept %s as an S3-compatible store', (address) => {
    expect(parseSettings({ ...REQUIRED_SETTINGS, S3_URL: address }).S3_URL).toBe(address);
  });

  test('do not repeat a password in the error', () => {
    expect(
      problems({ ...REQUIRED_SETTINGS, S3_URL: 'ftp://key:hunter2@s3.test/bucket' }).join(),
    ).not.toContain('hunter2');
  });

  test('parse retry delays as seconds', () => {
    const settings = parseSettings({ ...REQUIRED_SETTINGS, DELIVERY_RETRY_DELAYS: '0.5, 1,2 ,3' });
    expect(settings.DELIVERY_RETRY_DELAYS).toEqual([0.5, 1, 2, 3]);
  });
});

describe('a malformed setting is reported in one line with its name', () => {
  test.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '-1.5'],
    ['PORT', 'http'],
    ['METRICS_PORT', '0'],
    ['METRICS_PORT', '65536'],
    ['BASE_URL', 'inbox.test'],
    ['BASE_URL', 'ftp://inbox.test'],
    ['BASE_URL', 'https://inbox.test/support'],
    ['BASE_URL', 'https://inbox.test/?from=mail'],
    ['BASE_URL', 'https://ada:secret@inbox.test'],
    ['DATABASE_URL', 'mysql://db.test/inbox'],
    ['DB_POOL_MAX', '9'],
    ['PLATFORM_RETURN_URL', 'x'.repeat(501)],
    ['PLATFORM_RETURN_URL', `https://platform.test/${'x'.repeat(479)}`],
    ['HOOKS_HOST', 'hooks.platform.test:443'],
    ['HOOKS_HOST', 'https://hooks.platform.test'],
    ['HOOKS_HOST', '-hooks.platform.test'],
    ['HOOKS_CONNECT_TO', 'localhost'],
    ['HOOKS_CONNECT_TO', 'localhost:99999'],
    ['HOOKS_CONNECT_TO', 'http://localhost:1'],
    ['WEBHOOK_RETRY_DELAYS', '5,soon'],
    ['WEBHOOK_PRIVATE_HOSTS', 'hooks.lan:443'],
    ['DELIVERY_RETRY_DELAYS', '30,120,600'],
    ['DELIVERY_RETRY_DELAYS', '30,,600,1800'],
    ['DELIVERY_RETRY_DELAYS', '30,120,600,soon'],
    ['DELIVERY_RETRY_DELAYS', '30,120,600,-1'],
    ['DELIVERY_RETRY_DELAYS', 'Infinity,1,1,1'],
    ['WORKER_CONCURRENCY', '0'],
    ['SESSION_SECRET', 'x'.repeat(31)],
    ['SECRETS_KEY', 'x'.repeat(31)],
    ['SECRETS_KEY', `${'x'.repeat(32)},y`],
    ['SECRETS_KEY', ['x', 'y', 'z'].map((each) => each.repeat(32)).join(',')],
    ['META_API_URL', 'http://graph.facebook.com'],
    ['TELEGRAM_API_URL', 'http://127.0.0.1.evil.test'],
    ['TELEGRAM_API_URL', 'api.telegram.org'],
    ['SLACK_API_URL', 'https://slack.com/'],
    ['SMTP_URL', 'https://mail.test'],
    ['MAIL_FROM', 'inbox.test'],
    ['MAIL_FROM', 'Inbox <no-reply@inbox.test>'],
    ['S3_URL', 'https://s3.test/bucket'],
    ['S3_URL', 'https://key:secret@s3.test'],
    ['S3_URL', 'https://key:secret@s3.test/'],
    ['S3_URL', 's3://key:secret@s3.test/bucket'],
    ['S3_URL', 'http://key:secret@s3.test/bucket'],
    ['S3_URL', 'http://key:secret@127.0.0.1.s3.test/bucket'],
    ['FILES_QUOTA_MB', '0'],
    ['TRUST_PROXY', '-1'],
    ['TRUST_PROXY', 'yes'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    const lines = problems({ ...REQUIRED_SETTINGS, [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name} is not valid: .+\\.$`));
  });

  test('API_HOST, if it is the host of BASE_URL, where it would hide the pages', () => {
    const hosts = { BASE_URL: 'https://inbox.test:8443', API_HOST: 'Inbox.Test' };
    expect(problems({ ...REQUIRED_SETTINGS, ...hosts })).toEqual([
      'API_HOST is not valid: must be another host than that of BASE_URL.',
    ]);
  });

  test('the longest allowed return address is accepted', () => {
    const longest = `https://platform.test/${'x'.repeat(478)}`;
    expect(
      parseSettings({ ...REQUIRED_SETTINGS, PLATFORM_RETURN_URL: longest }).PLATFORM_RETURN_URL,
    ).toHaveLength(500);
  });
});
