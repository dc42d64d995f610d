import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';
import { expectThreadNearTop } from './thread-on-phone.ts';

// A teammate marks a conversation as spam and blocks its sender. An owner deletes a conversation and restores it.

const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });

async function openFirst(page: Page, path: string): Promise<string> {
  await signIn(page, 'owner@demo.test', path);
  await list(page).getByRole('link').first().click();
  const opened = page.locator('[data-opened]');
  await expect(opened).toBeVisible();
  return (await opened.getAttribute('data-opened')) ?? '';
}

test('spam leaves the inbox, its sender can be blocked and unblocked, and it comes back', {
  tag: '@journey',
}, async ({ page }) => {
  const id = await openFirst(page, '/inbox?status=all&channel=email');
  const row = page.locator(`[data-conversation="${id}"]`);
  const tip = page.locator('[data-tooltip]');
  await page.getByRole('button', { name: 'Mark as spam' }).hover();
  await expect(tip).toHaveText('Mark as spam!');
  await page.getByRole('region', { name: 'Messages' }).hover();
  await expect(tip).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark as spam' }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(tip).toHaveText('Merge into another conversationM');
  await page.keyboard.press('!');
  await expect(page.getByText('Marked as spam')).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(page.locator(`[data-opened="${id}"]`)).toBeVisible();
  await expect(row).toHaveCount(1);
  await page.getByRole('button', { name: 'Mark as spam' }).click();
  await expect(row).toHaveCount(0);

  await page.getByRole('link', { name: 'Spam', exact: true }).click();
  await page.getByRole('list', { name: 'Spam' }).getByRole('link').first().click();
  const block = page.getByRole('button', { name: 'Block sender…' });
  await block.click();
  const dialog = page.getByRole('dialog', { name: 'Block sender' });
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(block).toBeFocused();
  await block.click();
  await expect(dialog.getByRole('radio', { name: /@/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Block sender' }).click();
  await expect(page.getByText('Sender blocked')).toBeVisible();
  await page
    .getByRole('button', { name: /^Why\? / })
    .last()
    .click();
  const why = page.getByRole('dialog', { name: 'What happened with this message' });
  await expect(why).toContainText(
    'have been refused since Olivia Owen blocked this address. None has arrived since.',
  );
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const notice = page.getByText(/^Olivia Owen blocked .* New messages are refused\./);
  await expect(notice).toBeVisible();
  await notice.getByRole('link', { name: 'Blocked senders' }).click();
  await expect(page).toHaveTitle(/Blocked senders/);
  await expect(page.getByRole('list', { name: /blocked sender/ }).getByRole('listitem')).toContainText(
    'No message refused yet',
  );
  await page
    .getByRole('button', { name: /^Unblock / })
    .first()
    .click();
  await expect(page.getByText('No blocked senders yet')).toBeVisible();
  await page.getByRole('textbox', { name: 'Block an address or a domain' }).fill('gmail.com');
  await page.getByRole('button', { name: 'Block sender' }).click();
  await expect(page.getByText('Anyone can have an address at gmail.com')).toBeVisible();

  await page.getByRole('link', { name: 'Spam', exact: true }).click();
  await expect(page).toHaveTitle(/Spam/);
  await page.getByRole('list', { name: 'Spam' }).getByRole('link').first().click();
  await expect(page.locator('[data-opened]')).toContainText('This conversation is spam.');
  await expectThreadNearTop(page);
  await page.getByRole('button', { name: 'Not spam' }).click();
  await expect(page.getByRole('button', { name: 'Mark as spam' })).toBeVisible();
});

test('an owner sees what closing and deletion do, keeps the conversation with Escape, deletes it, undoes it, and restores from Deleted', async ({
  page,
}) => {
  const id = await openFirst(page, '/inbox?status=all&channel=whatsapp');
  const dialog = page.getByRole('alertdialog');
  const status = page.getByRole('button', { name: /^Status: / });
  await status.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Closed' }).press('Enter');
  await expect(dialog).toContainText('A closed conversation can’t be reopened.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(status).toBeFocused();
  const deleting = page.getByRole('button', { name: 'Delete conversation' });
  await deleting.press('Enter');
  await expect(dialog).toContainText(/This deletes \d+ messages?/);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(deleting).toBeFocused();
  const remove = async () => {
    await deleting.click();
    await expect(dialog).toContainText(/This deletes \d+ messages?/);
    await dialog.getByRole('button', { name: 'Delete conversation' }).click();
    await expect(page.locator(`[data-conversation="${id}"]`)).toHaveCount(0);
  };
  await remove();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator(`[data-opened="${id}"]`)).toBeVisible();
  await remove();
  await page.getByRole('link', { name: 'Deleted', exact: true }).click();
  await expect(page).toHaveTitle(/Deleted/);
  await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('restore');
  await expect(page.getByRole('option', { name: /^Restore: / })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No deleted conversations')).toBeVisible();
});
