import { expect, type Page } from '@playwright/test';
import { box, button, openConversation, thread } from './composer.ts';
import { holdRequests } from './hold-requests.ts';
import { list } from './open-first.ts';
import { resetPlatform } from './steps.ts';
import { test } from './test.ts';

// A draft stays with its conversation until it is sent or deleted.

test.beforeEach(({ page }) => resetPlatform(page));

test('drafts survive navigation, and tabs that show the same draft follow each other', async ({
  page,
  context,
}) => {
  const { inbox } = await openConversation(page);
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
    await box(page, 'Reply').fill('');
  });

  await test.step('tabs that show the same draft follow each other, and a tab that changes nothing overwrites nothing', async () => {
    const other = await context.newPage();
    await other.goto(inbox);
    await expect(box(other, 'Reply')).toHaveValue('');
    await box(page, 'Reply').fill('Half a reply');
    await expect(box(other, 'Reply')).toHaveValue('Half a reply');
    await other.goto('/contacts');
    await page.reload();
    await expect(box(page, 'Reply')).toHaveValue('Half a reply');

    await other.goto(inbox);
    await expect(box(other, 'Reply')).toHaveValue('Half a reply');
    await button(page, 'Send').click();
    await expect(thread(page)).toContainText('Half a reply');
    await expect(box(other, 'Reply')).toHaveValue('');
    await other.goto('/contacts');
    await page.reload();
    await expect(box(page, 'Reply')).toHaveValue('');
    await other.close();
  });
});

test('a reply that is undone from the toast, after its conversation was opened again, is in its box again', async ({
  page,
}) => {
  const { inbox } = await openConversation(page);
  await box(page, 'Reply').fill('All done, Nora.');
  await page.evaluate(solveReturnAndUndo);
  await expect(page).toHaveURL(inbox);
  await expect(box(page, 'Reply')).toHaveValue('All done, Nora.');
  await page.reload();
  await expect(box(page, 'Reply')).toHaveValue('All done, Nora.');
  await box(page, 'Reply').fill('');
});

test('files and changed recipients stay with a draft that is left, also while a file is being uploaded', async ({
  page,
}) => {
  await openConversation(page);
  await test.step('files and changed recipients stay with a draft that is left, and none are left once it is sent', async () => {
    const files = page.getByRole('list', { name: 'Files to send' });
    const copy = page.getByRole('button', { name: 'Remove carol@example.com' });
    await button(page, 'Cc, Bcc').click();
    await page.getByRole('textbox', { name: 'Bcc', exact: true }).fill('carol@example.com,');
    await expect(copy).toBeVisible();
    const order = { name: 'order.txt', mimeType: 'text/plain', buffer: Buffer.from('Two boots') };
    await page.getByRole('region', { name: 'Composer' }).locator('input[type=file]').setInputFiles(order);
    await expect(button(page, 'Remove order.txt')).toBeVisible();
    await box(page, 'Reply').fill('The order is attached.');
    await openNext(page);
    await expect(files).toHaveCount(0);
    await page.goBack();
    await expect(files).toContainText('order.txt');
    await expect(copy).toBeVisible();
    await expect(box(page, 'Reply')).toHaveValue('The order is attached.');

    await button(page, 'Send').click();
    await expect(thread(page).getByRole('link', { name: /order\.txt/ })).toBeVisible();
    await openNext(page);
    await page.goBack();
    await expect(thread(page).getByRole('link', { name: /order\.txt/ })).toBeVisible();
    await expect(files).toHaveCount(0);
    await expect(copy).toHaveCount(0);
  });

  await test.step('a file whose upload ends after its conversation was left is there on return', async () => {
    const release = await holdRequests(page, '**/attachments/');
    const order = { name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('Two boots') };
    const composer = page.getByRole('region', { name: 'Composer' });
    await composer.locator('input[type=file]').setInputFiles(order);
    await expect(button(page, 'Remove late.txt')).toBeVisible();
    await box(page, 'Reply').fill('The order is attached.');
    await openNext(page);
    const uploaded = page.waitForResponse('**/attachments/');
    release();
    await uploaded;
    await page.goBack();
    await expect(button(page, 'Remove late.txt')).toBeVisible();
    await button(page, 'Send').click();
    await expect(thread(page).getByRole('link', { name: /late\.txt/ })).toBeVisible();
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

/**
 * Runs in the browser, because the undo window ends after five seconds. Sends and solves, goes back to the conversation and
 * clicks Undo in the toast.
 */
async function solveReturnAndUndo(): Promise<void> {
  const shown = () => document.querySelector<HTMLElement>('[data-opened]')?.dataset.opened;
  const press = (text: string, within: ParentNode = document) => {
    const button = [...within.querySelectorAll('button')].find((each) => each.textContent === text);
    button?.click();
    return button !== undefined;
  };
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise(requestAnimationFrame);
  };
  const id = shown();
  press('Send and solve');
  await until(() => shown() !== undefined && shown() !== id);
  // The text is stored until the server has scheduled the reply.
  await until(() => !Object.keys(localStorage).some((key) => key.startsWith('draft:')));
  history.back();
  await until(() => shown() === id && document.querySelector('[aria-label="Messages"]') !== null);
  await until(() =>
    [...document.querySelectorAll('[data-sonner-toast]')].some((toast) => press('Undo', toast)),
  );
}
