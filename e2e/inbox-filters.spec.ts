import { expect, type Page } from '@playwright/test';
import { goWithin, signIn } from './steps.ts';
import { test } from './test.ts';

test('the list is filtered and sorted, and the address retains both', async ({ page }) => {
  await test.step('filters of one panel combine, stay in the address, and are removed one by one', async () => {
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

  await test.step('a filter for a former teammate and a deleted team stays when another filter is chosen', async () => {
    const gone = 'assignee=01a1fe08-26c9-701b-a6d2-1ac12d5c02f6&team=01a1fe08-26c9-701b-a6d2-1ac12d5c02f7';
    await page.goto(`/inbox?${gone}`);
    await page.getByRole('button', { name: 'Filter, 2 active' }).click();
    const panel = page.getByRole('dialog', { name: 'Filter' });
    await expect(panel.getByLabel('Assignee').locator('option:checked')).toHaveText('Former teammate');
    await expect(panel.getByLabel('Team').locator('option:checked')).toHaveText('Deleted team');
    await panel.getByLabel('Priority').selectOption('High');
    await expect(page).toHaveURL(`/inbox?${gone}&priority=high`);
  });

  await test.step('the list is sorted by the chosen order, which the URL and the other tabs retain', async () => {
    await page.goto('/inbox');
    await page.waitForFunction(() => Object.hasOwn(window.history, 'pushState'));
    const sort = page.getByRole('combobox', { name: 'Sort by' });
    await expect(sort).toHaveValue('');
    await sort.selectOption('Oldest');
    await expect(page).toHaveURL('/inbox?sort=oldest');
    await expectOldestFirst(page);

    await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Solved' }).click();
    await expect(page).toHaveURL('/inbox?status=solved&sort=oldest');
    await page.reload();
    await expect(sort).toHaveValue('oldest');
    await expectOldestFirst(page);

    await sort.selectOption('Newest');
    await expect(page).toHaveURL('/inbox?status=solved');
    await goWithin(page, '/inbox?status=all');
    await sort.selectOption('Priority');
    await expect(page).toHaveURL('/inbox?status=all&sort=priority');
    const rows = page.locator('[data-conversation-list] [data-conversation]');
    await expect(rows.first().getByText('Urgent')).toBeVisible();
  });
});

/** Waits until the listed conversations are sorted by the time of their last message. */
async function expectOldestFirst(page: Page): Promise<void> {
  const times = page.locator('[data-conversation-list] [data-conversation] .row-head time');
  await expect
    .poll(async () => {
      const shown = await times.evaluateAll((all) => all.map((time) => time.getAttribute('datetime') ?? ''));
      return shown.length > 1 && shown.every((at, n) => n === 0 || at >= (shown[n - 1] ?? ''));
    })
    .toBe(true);
}
