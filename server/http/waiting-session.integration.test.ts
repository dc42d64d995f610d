import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { listRoutes, type RouteServices } from '#server/http/routes.ts';
import { REQUEST } from '#test/clients/consent-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { turnOnSecondFactor } from '#test/fixtures/second-factors.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates } from '#test/fixtures/teammates.ts';

/** An attacker who knows the password of an owner with a second factor, and an owner who has none. */
const test = serviceTest.extend('attacker', { scope: 'file' }, async ({ service: { url } }) => {
  const { owner, workspaceId } = await makeTeammates();
  await turnOnSecondFactor(owner);
  const other = await makeTeammates();
  return { url, workspaceId, cookie: await signInAs(url, owner), signedIn: await signInAs(url, other.owner) };
});

type Request = { path: string; method?: 'POST'; body?: object };

const id = randomUUID();

/** A request to each route that looks at the session. The others, with the reason, look at none. A route without a line fails the first test. */
const ROUTES: Record<string, Request | { because: string }> = {
  'procedures of open pages': { path: '/api/screens/session.workspaceOf' },
  'consent page': { path: `/oauth/authorize?${new URLSearchParams(REQUEST)}` },
  'sign-in': { path: '/api/auth/get-session' },
  'live pages': { path: '/live', method: 'POST' },
  files: { path: `/attachments/${id}` },
  'original mail': { path: `/mails/${id}/original` },
  'audit log': { path: '/settings/audit-log.csv' },
  report: { path: '/reports.csv' },
  'data of a contact': { path: `/contact-data/${id}` },
  'export of a workspace': { path: `/workspace-exports/${id}` },
  upload: { path: '/attachments/', method: 'POST' },
  'pictures that are not sent yet': { path: `/uploads/${id}` },
  'renewed push subscription': {
    path: '/push-subscription',
    method: 'POST',
    body: {
      endpoint: 'https://push.example.com/1',
      p256dh: `B${'a'.repeat(86)}`,
      auth: 'a'.repeat(22),
      replaced: null,
    },
  },
  pages: { because: 'They read through procedures, which second-step.integration.test.ts calls one by one.' },
  ...Object.fromEntries(
    ['API', 'developer API', 'developer API on its host', 'files of the developer API', 'MCP'].map((name) => [
      name,
      { because: 'It needs a token.' },
    ]),
  ),
  ...Object.fromEntries(
    ['token', 'revoke', 'posted mail', 'webhooks'].map((name) => [
      name,
      { because: 'A program calls it, with its own secret.' },
    ]),
  ),
  ...Object.fromEntries(
    ['start of single sign-on', 'callback of single sign-on', 'web chat', 'unsubscribe page'].map((name) => [
      name,
      { because: 'It is for people who are not signed in.' },
    ]),
  ),
  ...Object.fromEntries(
    [
      'MCP metadata',
      'OAuth metadata',
      'wrongly encoded path',
      'unknown path of an API',
      'liveness',
      'readiness',
      'script of the web chat',
      'files of the installed app',
      'share without the service worker',
      'resized images',
    ].map((name) => [name, { because: 'It is the same for everyone.' }]),
  ),
};

const requests = Object.entries(ROUTES).flatMap(([name, route]) =>
  'path' in route ? [[name, route] as const] : [],
);

test('every route refuses a sign-in that waits for its second factor, or looks at no session', () => {
  const routes = listRoutes({ apiHost: 'api.test' } as RouteServices);
  expect(Object.keys(ROUTES).toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
});

test.for(requests)(
  'an attacker without the second factor gets of the route “%s” what a visitor gets',
  async ([, { path, method = 'GET', body }], { attacker: { url, workspaceId, cookie, signedIn } }) => {
    const open = async (session: Record<string, string>) => {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: { 'x-workspace-id': workspaceId, 'content-type': 'application/json', ...session },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const location = response.headers.get('location');
      return { status: response.status, location, text: await response.text() };
    };
    const answer = await open({ cookie });
    expect(answer).toEqual(await open({}));
    expect(answer).not.toEqual(await open({ cookie: signedIn }));
  },
);
