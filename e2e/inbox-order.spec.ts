import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

test('the list is sorted by the chosen order, which the URL and the other tabs retain', async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  await page.waitForFunction(() => Object.hasOwn(window.history, 'pushState'));
  const sort = page.getByRole('combobox', { name: 'Sort by' });
  await expect(sort).toHaveValue('');
  await sort.selectOption('Oldest');
  await expect(page).toHaveURL('/inbox?sort=oldest');
  await expectOldestFirst(page);
  await expectAccessibleEverywhere(page);

  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Solved' }).click();
  await expect(page).toHaveURL('/inbox?status=solved&sort=oldest');
  await page.reload();
  await expect(sort).toHaveValue('oldest');
  await expectOldestFirst(page);

  await sort.selectOption('Newest');
  await expect(page).toHaveURL('/inbox?status=solved');
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
