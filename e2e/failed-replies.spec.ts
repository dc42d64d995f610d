import { expect } from '@playwright/test';
import { accountOf, control } from './control-providers.ts';
import { openFirst, thread } from './open-first.ts';
import { test } from './test.ts';

// A teammate sees which replies did not reach the contact.

test('a failed reply is shown in its row and in the view Not sent until it is dismissed', async ({
  page,
}) => {
  const switches = async () => `/accounts/${await accountOf(page, 'whatsapp')}/switches`;
  await control(page, 'PATCH', await switches(), { refuse_next: '131026' });
  const id = await openFirst(page, '/inbox?status=all&channel=whatsapp');
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
