import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { clickOnceShown } from './click-once-shown.ts';
import { startConversation } from './start-conversation.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate puts a conversation aside until a time.

test('a conversation is snoozed by keyboard, comes back after Undo, and is listed in the view Snoozed', async ({
  page,
}) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  await startConversation(page, `snooze.${Date.now()}@example.com`, `Snooze ${Date.now()}`);
  const opened = page.locator('[data-opened]');
  const id = (await opened.getAttribute('data-opened')) ?? '';
  const row = page.locator(`[data-conversation="${id}"]`);
  const panel = page.getByRole('dialog', { name: 'Snooze' });
  const until = panel.getByRole('textbox', { name: 'Snooze until' });
  const header = page.locator(`[data-opened="${id}"] header`);
  await row.click();
  await page.keyboard.press('z');
  await until.fill('tomorrow 9');
  await expect(panel).toContainText('09:00');
  await expectAccessible(page);
  await clickOnceShown(page, 'Undo', () => page.keyboard.press('Enter'));
  await expect(page.getByRole('button', { name: 'Status: Open' })).toBeVisible();
  await expect(header).not.toContainText('Snoozed');
  await row.click();
  await page.keyboard.press('z');
  await until.fill('in 3 hours');
  await page.keyboard.press('Enter');
  await expect(row).toHaveCount(0);
  await expect(header).toHaveCount(0);

  await page.getByRole('link', { name: /^Snoozed/ }).click();
  await row.click();
  await expect(header).toContainText('Snoozed until');
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
    /snoozed this conversation until .*\d\d:\d\d/,
  );
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await panel.getByRole('button', { name: 'Cancel snooze' }).click();
  await expect(row).toHaveCount(0);
});
