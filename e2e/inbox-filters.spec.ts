import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('filters of one panel combine, stay in the address, and are removed one by one', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  await page.waitForFunction(() => Object.hasOwn(window.history, 'pushState'));
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Filter' });
  await panel.getByLabel('Priority').selectOption('High');
  await expect(page).toHaveURL('/inbox?priority=high');
  await panel.getByLabel('Last message').selectOption('In the last 30 days');
  await panel.getByLabel('Unread').check();
  await expect(page).toHaveURL('/inbox?priority=high&active=30d&unread=yes');
  await panel.getByLabel('Unread').uncheck();
  await expect(page).toHaveURL('/inbox?priority=high&active=30d');
  await expectAccessibleEverywhere(page);
  await panel.getByRole('button', { name: 'Done' }).click();
  await expect(panel).toBeHidden();

  await page.reload();
  const chips = page.getByRole('list', { name: 'Filters' });
  await expect(chips.getByRole('link', { name: 'High priority' })).toBeVisible();
  await chips.getByRole('link', { name: 'Last message in the last 30 days' }).click();
  await expect(page).toHaveURL('/inbox?priority=high');
  await expectPriority(page, 'High');
});

/** Opens the first listed conversation and expects its priority. */
async function expectPriority(page: Page, name: string): Promise<void> {
  const row = page.locator('[data-conversation][href*="priority=high"]').first();
  await row.click();
  await expect(page.getByRole('combobox', { name: 'Priority' })).toHaveValue(name.toLowerCase());
}
