import { expect } from '@playwright/test';
import { accountOf, control } from './control-providers.ts';
import { list, thread } from './open-first.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate sees which replies did not reach the contact.

test('a failed reply is shown in its row and in the view Not sent until it is dismissed', async ({
  page,
}) => {
  // Uses a new contact, because other flows leave failed messages in the first conversation.
  const name = `Fay ${Date.now()}`;
  await signIn(page, 'owner@demo.test', '/inbox?status=all&channel=whatsapp');
  const account = `/accounts/${await accountOf(page, 'whatsapp')}`;
  await control(page, 'POST', `${account}/messages`, { from: name, text: 'Any news?' });
  await list(page).getByRole('link', { name }).click();
  const opened = page.locator('[data-opened]');
  await expect(thread(page)).toContainText('Any news?');
  const id = await opened.getAttribute('data-opened');
  await control(page, 'PATCH', `${account}/switches`, { refuse_next: '131026' });
  const reply = async (text: string) => {
    await page.getByRole('textbox', { name: 'Reply', exact: true }).fill(text);
    await page.keyboard.press('Control+Enter');
    await expect(thread(page)).toContainText(text);
    await expect(page.getByRole('list', { name: 'Replies not sent yet' })).toHaveCount(0);
  };
  await reply(`Refused ${Date.now()}`);
  await expect(page.locator(`[data-conversation="${id}"]`)).toContainText('Not sent');

  await page.getByRole('link', { name: /^Not sent/ }).click();
  const row = page.locator(`[data-conversation="${id}"]`);
  await expect(row).toContainText('Not sent');
  await row.click();
  await reply(`Sent ${Date.now()}`);
  await expect(row).toContainText('Not sent');
  const dismiss = thread(page).getByRole('button', { name: 'Dismiss' });
  await dismiss.click();
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('Not sent');
  await dismiss.click();
  await expect(row).toHaveCount(0);
});
