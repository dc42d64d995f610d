import { expect } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('filters of one panel combine, stay in the address, and are removed one by one', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox?status=all');
  await page.waitForFunction(() => Object.hasOwn(window.history, 'pushState'));
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Filter' });
  await panel.getByLabel('Priority').selectOption('High');
  await expect(page).toHaveURL('/inbox?priority=high&status=all');
  await panel.getByLabel('Last message').selectOption('Last 30 days');
  await panel.getByLabel('Unread').check();
  await expect(page).toHaveURL('/inbox?priority=high&active=30d&unread=yes&status=all');
  await panel.getByLabel('Unread').uncheck();
  await expect(page).toHaveURL('/inbox?priority=high&active=30d&status=all');
  await expectAccessibleEverywhere(page);
  await panel.getByRole('button', { name: 'Done' }).click();
  await expect(panel).toBeHidden();

  await page.reload();
  const chips = page.getByRole('list', { name: 'Filters' });
  await expect(chips.getByRole('link', { name: 'High priority' })).toBeVisible();
  await chips.getByRole('link', { name: 'Last message: last 30 days' }).click();
  await expect(page).toHaveURL('/inbox?priority=high&status=all');
  // Rows of the previous view have another address.
  await page.locator('[data-conversation][href^="/inbox?priority=high&status=all"]').first().click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByRole('combobox', { name: 'Priority' })).toHaveValue('high');
});

test('a filter for a former teammate and a deleted team stays when another filter is chosen', async ({
  page,
}) => {
  const gone = 'assignee=01a1fe08-26c9-701b-a6d2-1ac12d5c02f6&team=01a1fe08-26c9-701b-a6d2-1ac12d5c02f7';
  await signIn(page, 'owner@demo.test', `/inbox?${gone}`);
  await page.getByRole('button', { name: 'Filter, 2 active' }).click();
  const panel = page.getByRole('dialog', { name: 'Filter' });
  await expect(panel.getByLabel('Assignee').locator('option:checked')).toHaveText('Former teammate');
  await expect(panel.getByLabel('Team').locator('option:checked')).toHaveText('Deleted team');
  await panel.getByLabel('Priority').selectOption('High');
  await expect(page).toHaveURL(`/inbox?${gone}&priority=high`);
  await expectAccessibleEverywhere(page);
});
