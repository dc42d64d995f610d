import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { endToEndEnvironment } from '#scripts/start/end-to-end-environment.ts';
import { dataDirOf } from '#server/core/project.ts';
import { until } from '#test/fixtures/until.ts';
import { linkIn, mailTo } from './mails.ts';
import { DEMO_PASSWORD } from './steps.ts';
import { test } from './test.ts';

// What Next does within the server: whom it asks, and what it writes.

/** The port that Next asks when it is given none. */
const NEXTS_PORT = 3000;

/**
 * Listens where another installation of the machine would; `calls` counts who came. Undefined when the port is taken.
 */
async function listenElsewhere(): Promise<{ calls: () => number; close: () => void } | undefined> {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(NEXTS_PORT, () => resolve(true));
  });
  return isListening ? { calls: () => calls, close: () => server.close() } : undefined;
}

test('the page that follows a form comes from this very server, and nothing is sent to another', async ({
  page,
}) => {
  const elsewhere = await listenElsewhere();
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill('viewer@demo.test');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.goto(linkIn(await mailTo('viewer@demo.test')));
  await page.getByLabel('New password').fill(DEMO_PASSWORD);
  // Its body is gone once the page follows: it is read on the way.
  const posted = Promise.withResolvers<{ headers: Record<string, string>; length: number }>();
  await page.route('**/reset-password*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    posted.resolve({ headers: response.headers(), length: (await response.body()).length });
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Save password' }).click();

  // Next asks for the page and sends it along. Were no one or someone else asked, there would be none.
  const { headers, length } = await posted.promise;
  expect(headers['x-action-redirect']).toContain('/sign-in?after=new-password');
  expect(headers['content-type']).toContain('text/x-component');
  expect(length).toBeGreaterThan(0);
  await expect(page).toHaveURL(/\/sign-in\?after=new-password$/);
  expect(elsewhere?.calls() ?? 0).toBe(0);
  elsewhere?.close();
});

test('what Next has to say is a JSON line of the log each, like all else', async ({ request, baseURL }) => {
  // A form of another version of the service: Next complains of it.
  const headers = { 'next-action': '40'.repeat(21), origin: baseURL ?? '', 'content-type': 'text/plain' };
  await request.post('/sign-in', { headers, data: '[]' });
  const file = join(dataDirOf(endToEndEnvironment(process.env)), 'log', 'server.log');
  const lines = await until('Next has complained', async () => {
    const written = (await readFile(file, 'utf8')).trim().split('\n');
    return written.some((line) => line.includes('Server Action')) ? written : undefined;
  });
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries).toContainEqual(expect.objectContaining({ msg: 'console.logged' }));
});

test('pages ask the browser for no devices', async ({ request }) => {
  for (const path of ['/sign-in', '/docs', '/nothing-here']) {
    const policy = (await request.get(path)).headers()['permissions-policy'];
    expect(policy).toContain('camera=()');
    expect(policy).toContain('geolocation=()');
  }
});
