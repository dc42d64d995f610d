import { expect } from '@playwright/test';
import { startConversation } from './start-conversation.ts';
import { goWithin, signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate saves a reply, and inserts it with its variables filled in and its file attached.

test('a saved reply is created with a file, previewed, inserted at the cursor and deleted', {
  tag: '@journey',
}, async ({ page }) => {
  const name = `Zebra ${Date.now()}`;
  await signIn(page, 'agent@demo.test', '/settings/saved-replies');
  await page.getByRole('button', { name: 'Add saved reply' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add saved reply' });
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  const text = dialog.getByRole('textbox', { name: 'Reply' });
  await text.fill('مرحبا {{contact.first_name}}');
  await expect(text).toHaveCSS('direction', 'rtl');
  await text.fill('Dear {{contact.frist_name}}, see the file.');
  await dialog.getByLabel('Folder (optional)').fill('Billing');
  await dialog.getByLabel('Visible to').selectOption('private');
  const terms = { name: 'terms.txt', mimeType: 'text/plain', buffer: Buffer.from('Terms') };
  await dialog.locator('input[type=file]').setInputFiles(terms);
  await expect(dialog.getByRole('button', { name: 'Remove terms.txt' })).toBeVisible();
  const add = dialog.getByRole('button', { name: 'Add saved reply' });
  await add.click();
  await expect(dialog).toContainText('“{{contact.frist_name}}” is not a variable.');
  await text.fill('Dear {{contact.first_name}}, see the file.');
  await add.click();
  await expect(dialog).toBeHidden();
  const item = page.getByRole('listitem', { name });
  await expect(item).toContainText('Only you');
  await expect(item).toContainText('Not used yet');

  await page.getByRole('link', { name: /^All/ }).click();
  await startConversation(page, `saved.${Date.now()}@example.com`, `Saved ${Date.now()}`);
  const box = page.getByRole('textbox', { name: 'Reply', exact: true });
  await box.fill('First line. ');
  await box.pressSequentially('/zebr');
  const option = page.getByRole('listbox').getByRole('option', { name });
  await expect(option).toBeVisible();
  await expect(page.getByText('Dear Nora, see the file.', { exact: true })).toBeVisible();
  await option.click();
  await expect(box).toHaveValue('First line. Dear Nora, see the file.');
  await expect(page.getByRole('list', { name: 'Files to send' })).toContainText('terms.txt');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages.getByRole('link', { name: /terms\.txt/ })).toBeVisible();
  await box.fill('First line. ');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill(`insert ${name}`);
  await page.getByRole('dialog', { name: 'Command menu' }).getByRole('option', { name }).click();
  await expect(box).toHaveValue('First line. Dear Nora, see the file.');
  await expect(box).toBeFocused();
  // The draft remembers after a reload which saved reply it used.
  await page.reload();
  await expect(box).toHaveValue('First line. Dear Nora, see the file.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(messages.getByText('First line. Dear Nora, see the file.')).toHaveCount(2);

  await goWithin(page, '/settings/saved-replies');
  await expect(page).toHaveTitle(/Saved replies/);
  await expect(async () => {
    await page.reload();
    await expect(item).toContainText('Used 2 times', { timeout: 10_000 });
  }).toPass();
  await item.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(item).toHaveCount(0);
});
