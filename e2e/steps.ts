import { expect, type Page } from '@playwright/test';
import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';
import { fillInConsent } from '#test/clients/consent-form.ts';
import { type Connection, connectionOf, PLATFORM_URL } from './connection.ts';

export const DEMO_PASSWORD = 'demo-password';

/** Signs in as the form does, but without opening it, and opens a page of the app. */
export async function signIn(page: Page, email: string, path = '/inbox'): Promise<void> {
  await openSession(page, email);
  await page.goto(path);
}

/** Goes to another screen of the app as a link does: the document stays, with all that it has loaded and compiled. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.waitForFunction(() => 'next' in window && Boolean((window.next as { router?: object }).router));
  await page.evaluate(follow, path);
  await page.waitForURL(path);
}

/** Signs in by the form on the sign-in page, which is open. */
export async function fillInSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}

/** The browser has a session from now on, whatever page is open. */
export async function openSession(page: Page, email: string): Promise<void> {
  const { service } = endToEndAddresses(process.env);
  const response = await page.request.post(`${service}/api/auth/sign-in/email`, {
    data: { email, password: DEMO_PASSWORD },
    headers: { origin: service },
  });
  expect(response.status()).toBe(200);
}

/** Presses `Connect` on the platform's page and signs in by the form, until the consent page is there. */
export async function startConnecting(page: Page, email: string): Promise<void> {
  await pressConnect(page);
  await fillInSignIn(page, email);
  await page.waitForURL('**/oauth/authorize?**');
}

async function pressConnect(page: Page): Promise<void> {
  await page.goto(PLATFORM_URL);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

/** Connects as a teammate who has signed in, from the platform's page to the connection listed there. */
export async function connectOnScreen(page: Page, email: string): Promise<void> {
  await openSession(page, email);
  await pressConnect(page);
  await page.waitForURL('**/oauth/authorize?**');
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('listitem', { name: `Demo Growth (${email})` }).first()).toBeVisible();
}

/**
 * The same without a screen, by the requests that a browser would send: for flows that are about something else. The
 * teammate is signed in from then on.
 */
export async function connect(page: Page, email: string, workspace = 'Demo Growth'): Promise<Connection> {
  await openSession(page, email);
  const consent = await page.request.get(await beginConnecting(page));
  const home = await page.request.post(new URL('/oauth/authorize', consent.url()).href, {
    form: fillInConsent(await consent.text(), workspace),
    headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
  });
  const id = new URL(home.url()).searchParams.get('connection');
  if (!id) throw new Error(`${email} could not connect: the way ended at ${home.url()}.`);
  return connectionOf(page, id);
}

/** Opens the consent page as `Connect` on the platform's page does, or what is there instead of it. */
export async function goToConsent(page: Page): Promise<void> {
  await page.goto(await beginConnecting(page));
}

/** The address of the consent page to which the platform sends this browser. */
async function beginConnecting(page: Page): Promise<string> {
  const begun = await page.request.post(`${PLATFORM_URL}/connect`, {
    headers: { origin: PLATFORM_URL },
    maxRedirects: 0,
  });
  return begun.headers().location ?? '';
}

/** Forgets everything at the stand-in platform and ends its connections at the service. */
export async function resetPlatform(page: Page): Promise<void> {
  const response = await page.request.post(`${PLATFORM_URL}/api/reset`, {
    data: { revoke: true },
    headers: { origin: PLATFORM_URL },
  });
  expect(response.ok()).toBe(true);
}

/** In the browser: what a link does when it is pressed. */
function follow(path: string): void {
  const { next } = window as unknown as { next: { router: { push: (path: string) => void } } };
  next.router.push(path);
}
