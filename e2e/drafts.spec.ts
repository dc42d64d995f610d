import { expect, type Page } from '@playwright/test';
import { box, button, openConversation, openOf, thread, waiting } from './composer.ts';
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

test('teammates share the draft of a reply, and nothing is lost when two write at the same time or offline', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  const { inbox } = await openConversation(page);
  const id = new URL(page.url()).searchParams.get('selected');
  const colleague = await openOf(openElsewhere, 'agent@demo.test', '/inbox?status=all');
  const rowOf = (of: Page) => of.locator(`[data-conversation="${id}"]`);
  const changed = page.getByRole('region', { name: 'Changed draft' });
  await test.step('a colleague sees the mark without reloading, opens the draft and continues it', async () => {
    await expect(rowOf(colleague)).not.toContainText('Draft');
    await box(page, 'Reply').fill('Half a reply');
    await expect(rowOf(colleague)).toContainText('Draft');
    await rowOf(colleague).click();
    await expect(box(colleague, 'Reply')).toHaveValue('Half a reply');
    await expect(colleague.getByText(/Draft by Olivia Owen|Olivia Owen is editing/)).toBeVisible();
    await box(colleague, 'Reply').fill('Half a reply, continued');
    await expect(box(page, 'Reply')).toHaveValue('Half a reply, continued');
    await expect(page.getByText(/Draft by |is editing this draft/)).toBeVisible();
  });

  await test.step('of two who write at the same time the second one chooses', async () => {
    await page.route('**/composer.saveDraft', (route) => route.abort());
    await box(page, 'Reply').fill('From Olivia');
    await box(colleague, 'Reply').fill('From the colleague');
    await expect(changed).toContainText('From the colleague');
    await expect(box(page, 'Reply')).toHaveValue('From Olivia');
    await page.unrouteAll();
    await changed.getByRole('button', { name: 'Keep both' }).click();
    await expect(box(page, 'Reply')).toHaveValue('From the colleague\n\nFrom Olivia');
    await expect(box(page, 'Reply')).toBeFocused();
    await expect(box(colleague, 'Reply')).toHaveValue('From the colleague\n\nFrom Olivia');
  });

  await test.step('text without a connection stays in the browser, over a reload, and is stored afterwards', async () => {
    const lost = page.waitForEvent('requestfailed');
    await page.route('**/composer.saveDraft', (route) => route.abort());
    await box(page, 'Reply').fill('Written offline');
    await lost;
    await expect(box(colleague, 'Reply')).not.toHaveValue('Written offline');
    await page.goto(inbox);
    await expect(box(page, 'Reply')).toHaveValue('Written offline');
    await page.unrouteAll();
    await expect(box(colleague, 'Reply')).toHaveValue('Written offline');
  });

  await test.step('the draft is gone for both when one sends it, and Undo brings it back for both', async () => {
    await button(page, 'Send').click();
    await expect(box(colleague, 'Reply')).toHaveValue('');
    await button(page, 'Undo').click();
    await expect(box(page, 'Reply')).toHaveValue('Written offline');
    await expect(box(colleague, 'Reply')).toHaveValue('Written offline');
  });

  await test.step('the text is back for both also when the response to Undo is lost', async () => {
    await page.route('**/composer.cancelReply', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Send').click();
    await expect(box(colleague, 'Reply')).toHaveValue('');
    await button(page, 'Undo').click();
    await expect(page.getByText('Could not undo the reply')).toBeVisible();
    await expect(box(page, 'Reply')).toHaveValue('Written offline');
    await expect(box(colleague, 'Reply')).toHaveValue('Written offline');
    await expect(waiting(page)).toBeHidden();
    await page.unrouteAll();
    await button(colleague, 'Send').click();
    await expect(thread(page)).toContainText('Written offline');
    await expect(box(page, 'Reply')).toHaveValue('');
    await list(page).getByRole('link').nth(1).click();
    await expect(rowOf(page)).not.toContainText('Draft');
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
