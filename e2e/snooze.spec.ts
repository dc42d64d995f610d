import { expect } from '@playwright/test';
import { clickOnceShown } from './click-once-shown.ts';
import { control } from './control-providers.ts';
import { sentMailTo } from './mails.ts';
import { startConversation } from './start-conversation.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';
import { expectThreadNearTop } from './thread-on-phone.ts';

// A teammate puts a conversation aside until a time.

test('a conversation is snoozed by keyboard, is listed in the view Snoozed, and comes back after Undo or an answer', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  const contact = `snooze.${Date.now()}@example.com`;
  await startConversation(page, contact, `Snooze ${Date.now()}`);
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
  await clickOnceShown(page, 'Undo', () => page.keyboard.press('Enter'));
  await expect(page.getByRole('button', { name: 'Status: Open' })).toBeVisible();
  await expect(header).not.toContainText('Snoozed');
  await row.click();
  await page.keyboard.press('z');
  await until.fill('in 3 hours');
  await page.keyboard.press('Enter');
  await expect(row).toHaveCount(0);
  await expect(header).toHaveCount(0);

  // The contact answers while the inbox is open.
  await control(page, 'POST', `/mails/${(await sentMailTo(contact)).id}/reply`, { text: 'I am back.' });
  await expect(page.locator('[data-conversation]').first()).toHaveAttribute('data-conversation', id);
  await expect(row).toContainText('Unread: ');
  await row.click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Snooze ended');
  await expect(header).not.toContainText('Snoozed');
  await page.keyboard.press('z');
  await until.fill('in 3 hours');
  await page.keyboard.press('Enter');
  await expect(row).toHaveCount(0);

  await page.getByRole('link', { name: /^Snoozed/ }).click();
  await row.click();
  await expect(header).toContainText('Snoozed until');
  await expectThreadNearTop(page);
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
    /snoozed this conversation until .*\d\d:\d\d/,
  );
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await panel.getByRole('button', { name: 'Cancel snooze' }).click();
  await expect(row).toHaveCount(0);
});
