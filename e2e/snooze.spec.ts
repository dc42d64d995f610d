import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate puts a conversation aside until a time.

test('a conversation is snoozed by keyboard, listed in the view Snoozed and back after Undo', async ({
  page,
}) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('link').first().click();
  const opened = page.locator('[data-opened]');
  await expect(opened).toBeVisible();
  const id = (await opened.getAttribute('data-opened')) ?? '';
  const row = page.locator(`[data-conversation="${id}"]`);

  await page.keyboard.press('z');
  const panel = page.getByRole('dialog', { name: 'Snooze' });
  await panel.getByRole('textbox', { name: 'Snooze until' }).fill('tomorrow 9');
  await expect(panel).toContainText('09:00');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(row).toHaveCount(0);
  await expect(page.locator(`[data-opened="${id}"]`)).toHaveCount(0);

  await page.getByRole('link', { name: /^Snoozed/ }).click();
  await row.click();
  await expect(page.locator(`[data-opened="${id}"]`)).toContainText('Snoozed until');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('link', { name: /^All/ }).click();
  await expect(row).toHaveCount(1);
});
