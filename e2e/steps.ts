import { expect, type Page } from '@playwright/test';
import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';
import { fillInConsent } from '#test/clients/consent-form.ts';
import { type Connection, connectionOf, PLATFORM_URL } from './connection.ts';

export const DEMO_PASSWORD = 'demo-password';

/** Signs in without the form, then opens a page of the app. */
export async function signIn(page: Page, email: string, path = '/inbox'): Promise<void> {
  await openSession(page, email);
  await page.goto(path);
}

/** Navigates like a link within the app: the document and its loaded scripts stay. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.waitForFunction(() => 'next' in window && Boolean((window.next as { router?: object }).router));
  await page.evaluate(navigate, path);
  await page.waitForURL(path);
}

/** Fills in the open sign-in form. */
export async function fillInSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}

/** Creates a session for the browser, whatever page is open. */
export async function openSession(page: Page, email: string): Promise<void> {
  const { service } = endToEndAddresses(process.env);
  const response = await page.request.post(`${service}/api/auth/sign-in/email`, {
    data: { email, password: DEMO_PASSWORD },
    headers: { origin: service },
  });
  expect(response.status()).toBe(200);
}

/** Presses `Connect` on the platform's page and signs in by the form, until the consent page is open. */
export async function startConnecting(page: Page, email: string): Promise<void> {
  await pressConnect(page);
  await fillInSignIn(page, email);
  await page.waitForURL('**/oauth/authorize?**');
}

async function pressConnect(page: Page): Promise<void> {
  await page.goto(PLATFORM_URL);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

/** Connects on the screens as a signed-in teammate, until the connection is listed on the platform's page. */
export async function connectOnScreen(page: Page, email: string): Promise<void> {
  await openSession(page, email);
  await pressConnect(page);
  await page.waitForURL('**/oauth/authorize?**');
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('listitem', { name: `Demo Growth (${email})` }).first()).toBeVisible();
}

/** Connects by requests instead of screens, for flows about other topics. The teammate stays signed in. */
export async function connect(page: Page, email: string, workspace = 'Demo Growth'): Promise<Connection> {
  await openSession(page, email);
  const consent = await page.request.get(await beginConnecting(page));
  const home = await page.request.post(new URL('/oauth/authorize', consent.url()).href, {
    form: fillInConsent(await consent.text(), workspace),
    headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
  });
  const id = new URL(home.url()).searchParams.get('connection');
  if (!id) throw new Error(`${email} could not connect: the last response came from ${home.url()}.`);
  return connectionOf(page, id);
}

/** Opens the consent page like `Connect` on the platform's page. */
export async function goToConsent(page: Page): Promise<void> {
  await page.goto(await beginConnecting(page));
}

/** Returns the URL to which the platform redirects this browser. */
async function beginConnecting(page: Page): Promise<string> {
  const response = await page.request.post(`${PLATFORM_URL}/connect`, {
    headers: { origin: PLATFORM_URL },
    maxRedirects: 0,
  });
  return response.headers().location ?? '';
}

/** Resets the stand-in platform and revokes its connections at the service. */
export async function resetPlatform(page: Page): Promise<void> {
  const response = await page.request.post(`${PLATFORM_URL}/api/reset`, {
    data: { revoke: true },
    headers: { origin: PLATFORM_URL },
  });
  expect(response.ok()).toBe(true);
}

/** Sets how the stand-in platform responds to deliveries of all workflows. */
export async function answerWith(page: Page, mode: string): Promise<void> {
  const { subscriptions } = await (await page.request.get(`${PLATFORM_URL}/api/state`)).json();
  for (const { key } of subscriptions) {
    const response = await page.request.patch(`${PLATFORM_URL}/api/subscriptions/${key}`, {
      headers: { origin: PLATFORM_URL },
      data: { answer_mode: mode },
    });
    expect(response.ok()).toBe(true);
  }
}

/** Runs in the browser. Navigates like a link. */
function navigate(path: string): void {
  const { next } = window as unknown as { next: { router: { push: (path: string) => void } } };
  next.router.push(path);
}
