import { expect } from '@playwright/test';
import { fillInConsent } from '#test/clients/consent-form.ts';
import { PLATFORM_URL } from './connection.ts';
import { DEMO_PASSWORD, goToConsent, openSession, resetPlatform, signIn, startConnecting } from './steps.ts';
import { test } from './test.ts';

test.beforeEach(({ page }) => resetPlatform(page));

test('the consent page shows teammate, workspace and abilities, says where to disconnect, and cancelling is reported to the platform', {
  tag: '@journey',
}, async ({ page }) => {
  await test.step('the consent page shows teammate, workspace and abilities, and says where to disconnect', async () => {
    await startConnecting(page, 'owner@demo.test');
    await expect(
      page.getByRole('heading', { name: 'Connect Workflow Platform to a workspace' }),
    ).toBeVisible();
    await expect(page.getByLabel('Workspace').locator('option:checked')).toHaveText('Demo Growth');
    await expect(page.getByText('You can choose another workspace.')).toBeVisible();
    await expect(page.getByText('as Olivia Owen, owner@demo.test')).toBeVisible();
    await expect(page.getByText('You can disconnect any time in Settings > Integrations')).toBeVisible();
  });

  await test.step('cancelling returns the teammate to the platform, which reports the cancellation', async () => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${PLATFORM_URL}/**`);
    await expect(page.getByRole('alert')).toBeVisible();
    const state = await (await page.request.get(`${PLATFORM_URL}/api/state`)).json();
    expect(state.connections).toEqual([]);
  });
});

test('an agent learns why they cannot connect, whom to ask, and connects with another account', {
  tag: '@journey',
}, async ({ page }) => {
  await startConnecting(page, 'agent@demo.test');
  await expect(page.getByRole('heading', { name: 'Only owners and admins can connect' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(
    'Ask Olivia Owen (owner@demo.test) or Amara Diallo (admin@demo.test) to connect it',
  );
  await expect(page.getByRole('button', { name: 'Connect' })).toBeHidden();
  await page.getByRole('button', { name: 'Use another account' }).click();
  await page.getByLabel('Email').fill('admin@demo.test');
  await page.getByLabel('Password').fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('as Amara Diallo, admin@demo.test')).toBeVisible();
});

test('an owner of a workspace without a free slot is offered an upgrade', async ({ page }) => {
  await signIn(page, 'owner@demo.test');
  await page.getByRole('button', { name: 'Workspace: Demo Growth' }).click();
  await page.getByRole('menuitemradio', { name: /Demo Full/ }).click();
  await expect(page.getByRole('button', { name: 'Workspace: Demo Full' })).toBeVisible();

  await goToConsent(page);
  await expect(page.getByRole('heading', { name: 'Demo Full has no free slot' })).toBeVisible();
  await page.getByRole('link', { name: 'Upgrade', exact: true }).click();
  await expect(page).toHaveURL(/\/settings\/plan$/);

  // Removing the integration frees the slot, so the consent page asks again.
  await page.goto('/settings/integrations');
  const slots = page.getByRole('region', { name: 'Integration slots' });
  await slots.getByRole('button', { name: /^Remove / }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(slots).toContainText('0 of 1 slot used');
  await goToConsent(page);
  await expect(page.getByLabel('Workspace').locator('option:checked')).toHaveText('Demo Full');
  await page.goto('/settings/integrations');
  await slots.getByRole('button', { name: 'Add sample integration' }).click();
  await expect(slots).toContainText('1 of 1 slot used');

  await page.getByRole('button', { name: 'Workspace: Demo Full' }).click();
  await page.getByRole('menuitemradio', { name: /Demo Growth/ }).click();
  await expect(page.getByRole('button', { name: 'Workspace: Demo Growth' })).toBeVisible();
});

test('switching the workspace in another tab refuses an approval for the first one', async ({
  page,
  context,
}) => {
  await openSession(page, 'owner@demo.test');
  await goToConsent(page);
  const other = await context.newPage();
  await other.goto('/inbox');
  await other.getByRole('button', { name: 'Workspace: Demo Growth' }).click();
  await other.getByRole('menuitemradio', { name: /Demo Scale/ }).click();
  await expect(other.getByRole('button', { name: 'Workspace: Demo Scale' })).toBeVisible();

  const response = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Connect' }).click();
  expect((await response).status()).toBe(409);
  await expect(page.getByRole('heading', { name: 'Another workspace is open now' })).toBeVisible();

  await other.getByRole('button', { name: 'Workspace: Demo Scale' }).click();
  await other.getByRole('menuitemradio', { name: /Demo Growth/ }).click();
  await expect(other.getByRole('button', { name: 'Workspace: Demo Growth' })).toBeVisible();
});

test('a form that was used before is out of date, and too many forms have to wait', async ({ page }) => {
  // This owner connects in no other flow: the limit lasts a minute.
  await openSession(page, 'owner2@demo.test');
  await goToConsent(page);
  const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };
  /** Approves an unknown workspace, which counts and connects nothing. */
  const approve = async (html: string) => {
    const fields = fillInConsent(html, 'Demo Business');
    const form = { ...fields, workspace_id: '01890000-0000-7000-8000-000000000000' };
    const url = new URL('/oauth/authorize', page.url()).href;
    return (await page.request.post(url, { form, headers })).status();
  };
  expect(await approve(await page.content())).toBe(403);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('heading', { name: 'This page is out of date' })).toBeVisible();

  await page.getByRole('link', { name: 'Start again' }).click();
  const connect = page.getByRole('button', { name: 'Connect' });
  await expect(connect).toBeVisible();
  let status = 403;
  while (status === 403) status = await approve(await (await page.request.get(page.url())).text());
  expect(status).toBe(429);
  await connect.click();
  await expect(page.getByText(/Wait \d+ seconds?, then try again/)).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a teammate signs in, consents and connects', { tag: '@journey' }, async ({ page }) => {
    await goToConsent(page);
    await page.getByLabel('Email').fill('admin@demo.test');
    await page.getByLabel('Password', { exact: true }).fill('not-the-password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('The email or password is incorrect.')).toBeVisible();

    await page.getByLabel('Email').fill('admin@demo.test');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.waitForURL(`${PLATFORM_URL}/**`);
    await expect(page.getByText('Demo Growth (admin@demo.test)').first()).toBeVisible();
  });
});
