import { once } from 'node:events';
import { Agent, type IncomingMessage } from 'node:http';
import { describe, expect } from 'vitest';
import { API_PATH, DEVELOPER_API_PATH } from '#server/core/env.ts';
import { LIMITS } from '#server/core/limits/limits.ts';
import type { Route } from '#server/http/route.ts';
import { listRoutes, type RouteServices } from '#server/http/routes.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { openSocket } from '#test/clients/raw-socket.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

/** A path of each route. */
const PATHS: Record<string, string> = {
  'developer API on its host': '/v1/me',
  API: `${API_PATH}/conversations`,
  'developer API': `${DEVELOPER_API_PATH}/me`,
  'wrongly encoded path': '/%ff',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  'consent page': '/oauth/authorize',
  'OAuth metadata': '/.well-known/oauth-authorization-server',
  'files of the developer API': '/api/v1/files',
  MCP: '/mcp',
  'MCP metadata': '/.well-known/oauth-protected-resource/mcp',
  'sign-in': '/api/auth/sign-in/email',
  'start of single sign-on': '/sso/start/1',
  'callback of single sign-on': '/sso/callback/1',
  'live pages': '/live',
  'web chat': '/api/chat/visitors',
  'procedures of open pages': '/api/screens/inbox.list',
  'posted mail': '/webhooks/email/1',
  webhooks: '/webhooks/telegram/1',
  'original mail': '/mails/1',
  'audit log': '/settings/audit-log.csv',
  report: '/reports.csv',
  'data of a contact': '/contact-data/1',
  'export of a workspace': '/workspace-exports/1',
  upload: '/attachments/',
  files: '/attachments/1',
  'pictures that are not sent yet': '/uploads/1',
  'unsubscribe page': '/unsubscribe/1',
  'unknown path of an API': '/api/unknown',
  liveness: '/healthz',
  readiness: '/readyz',
  'script of the web chat': '/widget.js',
  'files of the installed app': '/manifest.webmanifest',
  'share without the service worker': '/share-target',
  'renewed push subscription': '/push-subscription',
  'resized images': '/_next/image',
  pages: '/sign-in',
};

const PROCESS_LIMITS = ['request_rate', 'session_slots', 'page_slots', 'streams', 'reports', 'downloads'];

// The handlers are not called.
const API_HOST = 'api.test';
const routes = listRoutes({ apiHost: API_HOST } as RouteServices);

describe('every route', () => {
  test('has a path in this test that it handles', () => {
    for (const { name } of routes) {
      const path = PATHS[name];
      const host = name === 'developer API on its host' ? API_HOST : 'inbox.test';
      const req = { headers: { host } } as IncomingMessage;
      expect(path && routes.find(({ matches }) => matches(path, req))?.name, name).toBe(name);
    }
  });

  test('names a limit. Only routes that read no body and cost nothing have none', () => {
    for (const { name, limits, bodyMaxBytes } of routes) {
      expect(limits.length, name).toBeGreaterThan(0);
      if (limits.includes('costs_nothing'))
        expect([limits, bodyMaxBytes], name).toEqual([['costs_nothing'], 0]);
      else for (const limit of limits) expect([...Object.keys(LIMITS), ...PROCESS_LIMITS]).toContain(limit);
    }
  });

  test('answers without waiting for a body above its limit', async ({ service }) => {
    const answers = await Promise.all(routes.map((route) => answerToTooMuch(service.url, route)));
    for (const { name, line } of answers) expect(line, name).toMatch(/^HTTP\/1\.1 [2345]\d\d /);
    const refused = answers.filter(({ line }) => !line.startsWith('HTTP/1.1 200'));
    expect(
      routes
        .filter((route) => route.bodyMaxBytes > 0)
        .every(({ name }) => refused.some((each) => each.name === name)),
    ).toBe(true);
    expect(answers.filter(({ line }) => line.startsWith('HTTP/1.1 5'))).toEqual([]);
  });

  test('keeps the connection of a client whose body it refuses, also after others left in the middle of theirs', async ({
    service,
  }) => {
    const [unknown] = routes.filter(({ name }) => name === 'unknown path of an API');
    for (let n = 0; n < 12; n += 1) await answerToTooMuch(service.url, unknown as Route);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = () =>
      rawRequest(service.url, { method: 'POST', path: '/api/unknown', body: '{}', agent }).then(
        ({ status }) => status,
        () => 0,
      );
    await until('a connection is kept', async () => `${await post()} ${await post()}` === '404 404', 30_000);
    agent.destroy();
  });

  test('refuses a method that it does not have', async ({ service }) => {
    for (const { name, methods } of routes) {
      const path = PATHS[name];
      const { status, headers } = await fetch(`${service.url}${path}`, { method: 'PUT', redirect: 'manual' });
      if (methods) expect([status, headers.get('allow')], name).toEqual([405, methods.join(', ')]);
      else expect(status, name).toBeLessThan(500);
    }
  });
});

/** Sends the head of a post with a body that is too long, but nothing of the body. Returns the first line of the response. */
async function answerToTooMuch(
  url: string,
  { name, bodyMaxBytes }: Route,
): Promise<{ name: string; line: string }> {
  const socket = openSocket(url);
  socket.write(
    `POST ${PATHS[name]} HTTP/1.1\r\nHost: inbox.test\r\nContent-Type: application/json\r\nContent-Length: ${bodyMaxBytes + 1}\r\n\r\n`,
  );
  const [first] = await once(socket, 'data');
  socket.destroy();
  return { name, line: String(first).split('\r\n')[0] ?? '' };
}
