import { expect } from '@playwright/test';
import { openSession } from './steps.ts';
import { test } from './test.ts';

test('once the page was idle, panels and dialogs open without a connection', async ({ page }) => {
  await openSession(page, 'owner@demo.test');
  await page.goto('/inbox');
  await page.keyboard.press('j');
  await expect(page.locator('[data-opened]')).toBeVisible();
  await page.waitForFunction(() => performance.getEntriesByName('parts loaded').length > 0);
  await page.context().setOffline(true);
  for (const [key, name] of [
    ['z', 'Snooze'],
    ['m', 'Merge into another conversation'],
    ['Control+k', 'Command menu'],
    ['?', 'Keyboard shortcuts'],
  ] as const) {
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toBeVisible();
    await expect(dialog.getByText('Loading…')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await page.context().setOffline(false);
});
