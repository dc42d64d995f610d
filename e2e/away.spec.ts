import { expect } from '@playwright/test';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('an agent sets themselves away until a day, which an admin sees where conversations are assigned, and ends it', async ({
  page,
  browser,
}) => {
  await signIn(page, 'agent@demo.test', '/settings/teammates');
  await page.getByRole('button', { name: 'Set away yourself' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Back on').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Set away' }).click();
  await expect(dialog.getByLabel('Back on')).toHaveAccessibleDescription(/Choose a day after today/);
  const day = new Date(Date.now() + 5 * 86_400_000);
  await dialog.getByLabel('Back on').fill(day.toISOString().slice(0, 10));
  await dialog.getByRole('button', { name: 'Set away' }).click();
  await expect(dialog).toHaveCount(0);
  const me = page.getByRole('listitem').filter({ hasText: 'agent@demo.test' });
  await expect(me).toContainText(/Away until \d+ \w{3}/);

  const admin = await (await browser.newContext()).newPage();
  await signIn(admin, 'admin@demo.test', '/inbox');
  await admin.locator('[data-conversation]').first().click();
  const assignee = admin.getByRole('region', { name: 'Details' }).getByLabel('Assigned to');
  await expect(assignee.getByRole('option', { name: /· Away until \d+ \w{3}$/ })).toHaveCount(1);
  await admin.context().close();

  await page.getByRole('button', { name: 'I’m back' }).click();
  await expect(me.getByText(/Away until/)).toHaveCount(0);
});
