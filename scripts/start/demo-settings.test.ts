import { describe, expect, it } from 'vitest';
import { planStart } from '#scripts/start/demo-settings.ts';

describe('without any setting', () => {
  const plan = planStart({}, '/data');

  it('runs the embedded database and the stand-in platform on the usual ports', () => {
    expect(plan).toMatchObject({ embedded: true, standIn: true, baseUrl: 'http://localhost:3000' });
    expect(plan.ports).toEqual({ PORT: 3000, PLATFORM_PORT: 4000, PLATFORM_HOOKS_PORT: 4443 });
  });

  it('configures service and stand-in for each other', () => {
    expect(plan.settings).toMatchObject({
      DEMO: '1',
      PLATFORM_CLIENT_ID: 'workflow-platform',
      PLATFORM_RETURN_URL: 'http://localhost:4000/dashboard/auth/oauth/return/App1/',
      HOOKS_CONNECT_TO: '127.0.0.1:4443',
      HOOKS_CA_FILE: '/data/platform/hooks-ca.pem',
      PLATFORM_DATA_DIR: '/data/platform',
      SERVICE_URL: 'http://localhost:3000',
      MAIL_DIR: '/data/mail',
      INBOUND_SMTP_PORT: '2525',
    });
  });

  it('sends every channel and all mail to the stand-in providers', () => {
    expect(plan.providers).toEqual({
      PROVIDERS_PORT: 3003,
      PROVIDERS_SMTP_PORT: 3004,
      INBOUND_SMTP_PORT: 2525,
    });
    expect(plan.settings).toMatchObject({
      META_API_URL: 'http://localhost:3003/meta',
      TELEGRAM_API_URL: 'http://localhost:3003/telegram',
      SLACK_API_URL: 'http://localhost:3003/slack/api/',
      SMTP_URL: 'smtp://localhost:3004?ignoreTLS=true',
      DNS_SERVERS: '127.0.0.1:3003',
      SSO_PRIVATE_HOSTS: 'localhost',
      INBOUND_SMTP_PORT: '2525',
    });
  });
});

it('keeps a provider or mail server that the user has set', () => {
  const plan = planStart(
    { SMTP_URL: 'smtps://mail.example', META_API_URL: 'https://graph.example' },
    '/data',
  );
  expect(plan.settings).not.toHaveProperty('SMTP_URL');
  expect(plan.settings).not.toHaveProperty('META_API_URL');
  expect(plan.settings).toHaveProperty('TELEGRAM_API_URL');
});

it('changes every address with its port', () => {
  const plan = planStart({ PORT: '3100', PLATFORM_PORT: '4100', PLATFORM_HOOKS_PORT: '4543' }, '/data');
  expect(plan.baseUrl).toBe('http://localhost:3100');
  expect(plan.settings.PLATFORM_RETURN_URL).toBe('http://localhost:4100/dashboard/auth/oauth/return/App1/');
  expect(plan.settings.HOOKS_CONNECT_TO).toBe('127.0.0.1:4543');
  expect(plan.settings.META_API_URL).toBe('http://localhost:3103/meta');
});

describe('metrics', () => {
  it('are not served by default', () => {
    expect(planStart({ METRICS_PORT: '' }, '/data').metricsPorts).toBeNull();
  });

  it('have a port for the server and the next port for the worker', () => {
    expect(planStart({ METRICS_PORT: '9464' }, '/data').metricsPorts).toEqual({ server: 9464, worker: 9465 });
  });

  it.each(['3000', '2999', '3999', '65535', 'abc'])('are refused on %s', (METRICS_PORT) => {
    expect(() => planStart({ METRICS_PORT }, '/data')).toThrow('METRICS_PORT');
  });

  it('may use the stand-in platform’s ports when it does not run', () => {
    const env = { METRICS_PORT: '4000', DATABASE_URL: 'postgresql://db/inbox' };
    expect(planStart(env, '/data').metricsPorts).toEqual({ server: 4000, worker: 4001 });
  });
});

it('keeps the user’s settings', () => {
  const plan = planStart({ BASE_URL: 'https://inbox.example', MAIL_DIR: '/mail' }, '/data');
  expect(plan.baseUrl).toBe('https://inbox.example');
  expect(plan.settings.SERVICE_URL).toBe('https://inbox.example');
  expect(plan.settings).not.toHaveProperty('MAIL_DIR');
});

it('adds no platform and no demo secrets for the user’s own database', () => {
  const plan = planStart({ DATABASE_URL: 'postgresql://db/inbox' }, '/data');
  expect(plan).toMatchObject({ embedded: false, standIn: false, providers: null });
  expect(Object.keys(plan.settings).sort()).toEqual(['BASE_URL', 'MAIL_DIR', 'PORT']);
});

it('does not start the stand-in if a real platform is set', () => {
  const plan = planStart({ HOOKS_HOST: 'hooks.example' }, '/data');
  expect(plan).toMatchObject({ embedded: true, standIn: false });
  expect(plan.settings).not.toHaveProperty('HOOKS_CONNECT_TO');
  expect(plan.settings).not.toHaveProperty('PLATFORM_RETURN_URL');
});

it('counts an empty value as not set', () => {
  const blank = { DATABASE_URL: '', PLATFORM_CLIENT_ID: '', HOOKS_HOST: '', PORT: '' };
  expect(planStart(blank, '/data')).toEqual(planStart({}, '/data'));
});

it.each(['0', '70000', 'abc', '-1', '80 '])('refuses %j as a port', (PORT) => {
  expect(() => planStart({ PORT }, '/data')).toThrow(`PORT must be a port from 1 to 65535, not "${PORT}".`);
});
