import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { endToEndEnvironment } from '#scripts/start/end-to-end-environment.ts';
import { dataDirOf } from '#server/core/project.ts';
import { until } from '#test/fixtures/until.ts';
import { linkTo } from './mails.ts';
import { DEMO_PASSWORD } from './steps.ts';
import { test } from './test.ts';

// Requests and logs of Next.js inside the server.

/** The default port that Next.js requests. */
const NEXT_DEFAULT_PORT = 3000;

test('the page after a form comes from this server, and no other server is contacted', async ({ page }) => {
  const elsewhere = await listenElsewhere();
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill('viewer@demo.test');
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.goto(await linkTo('/reset-password', 'viewer@demo.test'));
  await page.getByLabel('New password').fill(DEMO_PASSWORD);
  // The body is no longer available after the redirect, so read it in the route handler.
  const posted = Promise.withResolvers<{ headers: Record<string, string>; length: number }>();
  await page.route('**/reset-password*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    posted.resolve({ headers: response.headers(), length: (await response.body()).length });
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Save password' }).click();

  // Next.js fetches the target page and sends it with the response. A failed or wrong request would give an empty
  // body.
  const { headers, length } = await posted.promise;
  expect(headers['x-action-redirect']).toContain('/sign-in?after=new-password');
  expect(headers['content-type']).toContain('text/x-component');
  expect(length).toBeGreaterThan(0);
  await expect(page).toHaveURL(/\/sign-in\?after=new-password$/);
  expect(elsewhere?.calls() ?? 0).toBe(0);
  elsewhere?.close();
});

test('messages of Next.js are JSON lines of the log, and pages request no device permissions', async ({
  request,
  baseURL,
}) => {
  await test.step('messages of Next.js are JSON lines of the log', async () => {
    // A form of another build makes Next.js log an error.
    const headers = { 'next-action': '40'.repeat(21), origin: baseURL ?? '', 'content-type': 'text/plain' };
    await request.post('/sign-in', { headers, data: '[]' });
    const file = join(dataDirOf(endToEndEnvironment(process.env)), 'log', 'server.log');
    const lines = await until('Next.js has logged the error', async () => {
      const written = (await readFile(file, 'utf8')).trim().split('\n');
      return written.some((line) => line.includes('Server Action')) ? written : undefined;
    });
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries).toContainEqual(expect.objectContaining({ msg: 'console.logged' }));
  });

  await test.step('pages request no device permissions', async () => {
    for (const path of ['/sign-in', '/docs', '/nothing-here']) {
      const policy = (await request.get(path)).headers()['permissions-policy'];
      expect(policy).toContain('camera=()');
      expect(policy).toContain('geolocation=()');
    }
  });
});

/**
 * Listens on Next.js's default port like another installation on this machine, and counts connections. Returns undefined
 * when the port is taken.
 */
async function listenElsewhere(): Promise<{ calls: () => number; close: () => void } | undefined> {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(NEXT_DEFAULT_PORT, () => resolve(true));
  });
  return isListening ? { calls: () => calls, close: () => server.close() } : undefined;
}
