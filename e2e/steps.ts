import { expect, type Page } from '@playwright/test';
import { endToEndAddresses } from '#scripts/check/end-to-end-environment.ts';

/** Where the stand-in platform's page is while the flows run. */
export const PLATFORM_URL = endToEndAddresses(process.env).platform;
export const DEMO_PASSWORD = 'demo-password';

/** Signs in as the form does, but without opening it, and opens a page of the app. */
export async function signIn(page: Page, email: string, path = '/inbox'): Promise<void> {
  await openSession(page, email);
  await page.goto(path);
}

/** Signs in by the form on the sign-in page, which is open. */
export async function fillInSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}

/** The browser has a session from now on, whatever page is open. */
async function openSession(page: Page, email: string): Promise<void> {
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
export async function connect(page: Page, email: string, workspace = 'Demo Growth'): Promise<void> {
  await openSession(page, email);
  await pressConnect(page);
  await page.waitForURL('**/oauth/authorize?**');
  const select = page.getByLabel('Workspace');
  if (await select.isVisible()) await select.selectOption({ label: workspace });
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('listitem', { name: `${workspace} (${email})` }).first()).toBeVisible();
}

/** Turns triggers on, on the platform's page that is open. */
export async function turnOn(page: Page, ...triggers: string[]): Promise<void> {
  for (const name of triggers) {
    const trigger = page.getByRole('region', { name, exact: true });
    await trigger.getByRole('button', { name: 'Turn on' }).click();
    await expect(trigger.getByRole('button', { name: 'Turn off' })).toBeVisible();
  }
}

/** Forgets everything at the stand-in platform and ends its connections at the service. */
export async function resetPlatform(page: Page): Promise<void> {
  const response = await page.request.post(`${PLATFORM_URL}/api/reset`, {
    data: { revoke: true },
    headers: { origin: PLATFORM_URL },
  });
  expect(response.ok()).toBe(true);
}

/** Has the platform reply, as one of its workflows does. */
export async function replyThroughApi(page: Page, conversationId: string, text: string): Promise<void> {
  await page.goto(PLATFORM_URL);
  const form = page.getByRole('form', { name: 'Send Reply' });
  await form.getByLabel('Conversation ID').fill(conversationId);
  await form.getByLabel('Content').fill(text);
  await form.getByRole('button', { name: 'Run' }).click();
  await expect(form.getByRole('status')).toContainText('201 Created');
}
