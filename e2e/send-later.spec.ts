import { expect, type Page } from '@playwright/test';
import { clickOnceShown } from './click-once-shown.ts';
import { control } from './control-providers.ts';
import { sentMailTo } from './mails.ts';
import { thread } from './open-first.ts';
import { startConversation } from './start-conversation.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate writes a reply now that is sent at a chosen time.

test('a reply is scheduled by keyboard, listed in the view Scheduled, and asks first once the contact has written', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, 'owner@demo.test', '/inbox');
  const contact = `later.${Date.now()}@example.com`;
  await startConversation(page, contact, `Later ${Date.now()}`);
  const id = (await page.locator('[data-opened]').getAttribute('data-opened')) ?? '';
  const row = page.locator(`[data-conversation="${id}"]`);

  await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('Happy new year.');
  await page.keyboard.press('Control+Shift+Enter');
  const panel = page.getByRole('dialog', { name: 'Send later' });
  await panel.getByRole('textbox', { name: 'Send at' }).fill('tomorrow 9');
  await expect(panel).toContainText('09:00');
  await page.keyboard.press('Enter');
  await expect(pending(page)).toContainText('Happy new year.');
  await expect(pending(page)).toContainText(/Sends .*09:00/);
  await expect(page.getByRole('textbox', { name: 'Reply', exact: true })).toHaveValue('');
  await expect(row).toContainText(/Sends .*09:00/);

  await page.getByRole('link', { name: /^Scheduled/ }).click();
  await row.click();
  await pending(page).getByRole('button', { name: 'Change time' }).click();
  const change = page.getByRole('dialog', { name: 'Change time' });
  await change.getByRole('button', { name: 'In 3 hours' }).click();
  await expect(pending(page)).not.toContainText('09:00');

  await control(page, 'POST', `/mails/${(await sentMailTo(contact)).id}/reply`, { text: 'Wait, please.' });
  await expect(thread(page)).toContainText('Wait, please.');
  await expect(pending(page)).toContainText('The contact has written since.');
  await clickOnceShown(page, 'Undo', () => pending(page).getByRole('button', { name: 'Send now' }).click());
  await expect(page.getByRole('textbox', { name: 'Reply', exact: true })).toHaveValue('Happy new year.');
  await expect(row).toHaveCount(0);
});

function pending(page: Page) {
  return page.getByRole('list', { name: 'Replies not sent yet' });
}
