import { expect, type Page } from '@playwright/test';
import { box, button, openConversation, thread } from './composer.ts';
import { list } from './open-first.ts';
import { resetPlatform } from './steps.ts';
import { test } from './test.ts';

// A draft stays with its conversation until it is sent or deleted. `composer-store.test.ts` tests the drafts without a browser.

test.beforeEach(({ page }) => resetPlatform(page));

test('a draft, its files and its recipients stay with their conversation until it is sent, and the list shows it', async ({
  page,
}) => {
  const { inbox } = await openConversation(page);
  const files = page.getByRole('list', { name: 'Files to send' });
  const copy = page.getByRole('button', { name: 'Remove carol@example.com' });
  await test.step('reply and note drafts survive navigation separately', async () => {
    await box(page, 'Reply').fill('Half a reply');
    await page.getByRole('tab', { name: 'Note' }).click();
    await box(page, 'Note').fill('Half a note');
    const row = page.locator(`[data-conversation="${new URL(page.url()).searchParams.get('selected')}"]`);
    await expect(row).not.toContainText('Draft');
    await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'All' }).click();
    await list(page).getByRole('link').nth(1).click();
    await expect(row).toContainText('Draft');
    await page.getByRole('link', { name: 'Contacts' }).first().click();
    await expect(page).toHaveURL(/contacts/);
    await page.goto(inbox);
    await expect(box(page, 'Reply')).toHaveValue('Half a reply');
    await page.getByRole('tab', { name: 'Note' }).click();
    await expect(box(page, 'Note')).toHaveValue('Half a note');
    await box(page, 'Note').fill('');
    await page.getByRole('tab', { name: 'Reply' }).click();
  });

  await test.step('files and recipients are there on return, and none are left once the reply is sent', async () => {
    await button(page, 'Cc, Bcc').click();
    await page.getByRole('textbox', { name: 'Bcc', exact: true }).fill('carol@example.com,');
    await expect(copy).toBeVisible();
    const order = { name: 'order.txt', mimeType: 'text/plain', buffer: Buffer.from('Two boots') };
    await page.getByRole('region', { name: 'Composer' }).locator('input[type=file]').setInputFiles(order);
    await expect(button(page, 'Remove order.txt')).toBeVisible();
    await openNext(page);
    await expect(files).toHaveCount(0);
    await page.goBack();
    await expect(files).toContainText('order.txt');
    await expect(copy).toBeVisible();
    await expect(box(page, 'Reply')).toHaveValue('Half a reply');

    await button(page, 'Send').click();
    await expect(thread(page).getByRole('link', { name: /order\.txt/ })).toBeVisible();
    await openNext(page);
    await page.goBack();
    await expect(thread(page).getByRole('link', { name: /order\.txt/ })).toBeVisible();
    await expect(files).toHaveCount(0);
    await expect(copy).toHaveCount(0);
  });
});

async function openNext(page: Page): Promise<void> {
  const opened = page.locator('[data-opened]');
  const id = (await opened.getAttribute('data-opened')) ?? '';
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link')
    .and(page.locator(':not([aria-current])'))
    .first()
    .click();
  await expect(opened).not.toHaveAttribute('data-opened', id);
}
