import { expect } from '@playwright/test';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// An owner creates an API token, a program uses it, and the owner revokes it.

test('an API token is shown once, works with its abilities, and stops when it is revoked', async ({
  page,
  request,
}) => {
  await signIn(page, 'owner@demo.test', '/settings/developers');
  await page.getByRole('button', { name: 'Create API token' }).click();
  const form = page.getByRole('dialog', { name: 'Create API token' });
  await form.getByRole('button', { name: 'Create token' }).click();
  await expect(form.getByText('The label must not be empty.')).toBeVisible();
  await expect(form.getByText('Choose at least one ability.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Label' }).fill('Warehouse sync');
  await form.getByRole('checkbox', { name: 'Read' }).check();
  await form.getByRole('button', { name: 'Create token' }).click();

  const shown = page.getByRole('dialog', { name: 'Copy your API token' });
  const token = (await shown.locator('code').textContent()) ?? '';
  expect(token).toMatch(/^inbox_pk_live_[0-9A-Za-z]{32}$/);
  const call = (method: string, path: string) =>
    request.fetch(`/api/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  expect((await call('GET', '/me')).status()).toBe(200);
  expect((await call('POST', '/contacts')).status()).toBe(403);

  await shown.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: token.slice(-4) });
  await expect(row).toContainText('Last used');
  await expect(page.getByText(token)).toHaveCount(0);
  await row.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Warehouse sync revoked')).toBeVisible();
  await expect(row).toHaveCount(0);
  expect((await call('GET', '/me')).status()).toBe(401);
});
