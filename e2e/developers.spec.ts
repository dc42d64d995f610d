import { expect } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
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

test('a webhook is created, tested and repaired, and its log shows why nothing arrived', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/settings/developers');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Create webhook' });
  await form.getByRole('textbox', { name: 'URL' }).fill('https://127.0.0.1/hook');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await expect(form.getByText('This host is not in the public internet.')).toBeVisible();
  await expect(form.getByText('Choose at least one event.')).toBeVisible();
  // A name that exists nowhere (RFC 6761).
  await form.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.test/inbox');
  await form.getByRole('textbox', { name: 'Description' }).fill('Warehouse');
  await form.getByRole('checkbox', { name: 'reply.failed' }).check();
  await form.getByRole('button', { name: 'Create webhook' }).click();

  await expect(page.getByRole('heading', { name: 'https://hooks.example.test/inbox' })).toBeVisible();
  await expect(page.getByText('No deliveries yet')).toBeVisible();
  const secret = page.getByRole('region', { name: 'Signing secret' });
  await secret.getByRole('button', { name: 'Show' }).click();
  const shown = (await secret.locator('code').textContent()) ?? '';
  expect(shown).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await secret.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click();
  await expect(secret.locator('code')).not.toHaveText(shown);

  await page.getByRole('button', { name: 'Send test event' }).click();
  const log = page.getByRole('region', { name: 'Deliveries' });
  const delivery = log.getByRole('link', { name: /^webhook\.test/ });
  await expect(delivery).toContainText(/1 attempt|2 attempts/, { timeout: 30_000 });
  await delivery.click();
  await expect(log.getByRole('region', { name: 'Request' })).toContainText('"type": "webhook.test"');
  await expect(log.getByText(/^Attempt 1/)).toBeVisible();
  await expectAccessibleEverywhere(page);

  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await expect(edit.getByRole('checkbox', { name: 'reply.failed' })).toBeChecked();
  await edit.getByRole('checkbox', { name: 'note.added' }).check();
  await edit.getByRole('checkbox', { name: 'All events' }).check();
  await expect(edit.getByRole('checkbox', { name: 'note.added' })).toHaveCount(0);
  await edit.getByRole('checkbox', { name: 'All events' }).uncheck();
  await edit.getByRole('checkbox', { name: 'note.added' }).check();
  await edit.getByRole('checkbox', { name: 'reply.failed' }).check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('note.added');
  await page.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Replay' })).toHaveCount(0);
  await expect(delivery).toContainText('Cancelled');
  await page.getByRole('link', { name: 'Developers' }).last().click();
  await expect(page.getByRole('listitem').filter({ hasText: 'hooks.example.test' })).toContainText(
    'Disabled',
  );
  await page.getByRole('link', { name: 'https://hooks.example.test/inbox' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
});
