import { expect, type Locator, type Page } from '@playwright/test';
import { clickOnceShown } from './click-once-shown.ts';
import { holdRefresh } from './hold-refresh.ts';
import { holdRequests } from './hold-requests.ts';
import { startConversation } from './start-conversation.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// An open conversation: edited in place, merged, and observed live by a second teammate.

test('a new conversation suggests contacts, shows errors at their fields and keeps the input', {
  tag: '@journey',
}, async ({ page }) => {
  await test.step('a new conversation suggests contacts, shows errors at their fields and keeps the input', async () => {
    await openInbox(page);
    await page.getByRole('button', { name: 'New conversation' }).click();
    const form = page.getByRole('form', { name: 'New conversation' });
    await expect(form.getByLabel('To', { exact: true })).toBeFocused();
    await form.getByLabel('To', { exact: true }).fill('Daniel');
    await expect(form.getByRole('option', { name: /daniel\.kim@example\.com/ })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(form.getByLabel('To', { exact: true })).toHaveValue('daniel.kim@example.com');
    await form.getByLabel('To', { exact: true }).fill('agent@demo.test');
    await form.getByLabel('Message').fill('Hello');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form).toContainText('The subject is required.');
    await expect(form.getByLabel('Subject')).toBeFocused();
    await form.getByLabel('Subject').fill('To a teammate');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form).toContainText('belongs to a teammate of this workspace');
    await expect(form).not.toContainText('to_email');
    await expect(form.getByLabel('To', { exact: true })).toBeFocused();
    await expect(form.getByLabel('Message')).toHaveValue('Hello');
  });

  await test.step('a URL opens the new conversation form for a contact, and Escape closes it', async () => {
    await page.goto('/inbox?new=daniel.kim%40example.com');
    const form = page.getByRole('form', { name: 'New conversation' });
    await expect(form.getByLabel('To', { exact: true })).toHaveValue('daniel.kim@example.com');
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
    expect(new URL(page.url()).search).toBe('');
  });
});

test('status, assignee, team, priority and tags are changed in place, and another teammate sees it live', {
  tag: '@journey',
}, async ({ page, openElsewhere }) => {
  await openInbox(page);
  const address = `nora.${Date.now()}@example.com`;
  const subject = await startConversation(page, address, `Parcel ${Date.now()}`, addCopyAndFile);
  // A job sends the email, and the page updates live.
  await expect(thread(page)).toContainText('Sent');
  await expect(thread(page)).toContainText('Cc bob@example.com');
  await expect(thread(page).getByRole('link', { name: /order\.txt/ })).toBeVisible();
  const other = await openAs(openElsewhere, 'agent@demo.test', page.url());

  // Solve and undo before the page shows that the conversation is pending.
  const release = await holdRequests(page, /conversations\.get/);
  await page.getByRole('button', { name: 'Status: Open' }).click();
  await page.getByRole('menuitemradio', { name: 'Pending' }).click();
  await expect(other.getByRole('button', { name: 'Status: Pending' })).toBeVisible();
  await expect(thread(other)).toContainText('Olivia Owen changed the status from open to pending');

  const solved = await clickOnceShown(page, 'Undo', () =>
    page.getByRole('button', { name: 'Solve', exact: true }).click(),
  );
  expect(solved).toContain('Solved');
  await expect(thread(other)).toContainText('Olivia Owen changed the status from pending to solved');
  await expect(other.getByRole('button', { name: 'Status: Pending' })).toBeVisible();
  release();
  await expect(page.getByRole('button', { name: 'Status: Pending' })).toBeVisible();

  await other.getByRole('button', { name: 'Assign to me' }).click();
  await expect(details(page).getByLabel('Assigned to')).toHaveValue(/.+/);
  await expect(thread(page)).toContainText('Arjun Mehta took this conversation');
  await expect(other.getByRole('button', { name: 'Assign to me' })).toHaveCount(0);

  await details(page).getByLabel('Team').selectOption({ label: 'Billing' });
  await details(page).getByLabel('Priority').selectOption({ label: 'Urgent' });
  await expect(thread(other)).toContainText('moved this conversation to the team Billing');
  await expect(thread(other)).toContainText('changed the priority from normal to urgent');

  await details(page).getByRole('button', { name: 'Add tag' }).click();
  await page.keyboard.type(`${'x'.repeat(41)}`);
  // Correct the input before the page has refreshed.
  const letRefresh = await holdRefresh(page);
  await page.keyboard.press('Enter');
  await expect(details(page)).toContainText('at most 40 characters');
  await details(page).getByLabel('New tag').fill('Parcel, Lost');
  await page.keyboard.press('Enter');
  letRefresh();
  await expect(details(other).getByRole('list', { name: 'Tags' })).toContainText('Lost');
  await details(other).getByRole('button', { name: 'Remove the tag Lost' }).click();
  await expect(thread(page)).toContainText('Arjun Mehta removed the tag Lost');
  await expect(details(page).getByRole('list', { name: 'Tags' })).not.toContainText('Lost');

  // The toast moves the focus when it disappears, which closes a menu opened at that time.
  const closed = page.getByRole('menuitemradio', { name: 'Closed' });
  await expect(async () => {
    const status = page.getByRole('button', { name: 'Status: Pending' });
    if (!(await closed.isVisible())) await status.click({ timeout: 10_000 });
    await closed.click({ timeout: 10_000 });
  }).toPass();
  await expect(page.getByRole('alertdialog', { name: 'Close this conversation?' })).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close conversation' }).click();
  await expect(page.getByRole('article', { name: subject })).toContainText('This conversation is closed');
  await expect(page.getByRole('button', { name: /^Status/ })).toHaveCount(0);
  await expect(other.getByRole('button', { name: 'Solve', exact: true })).toHaveCount(0);
});

test('a conversation is merged into another one, and shortcuts are listed, navigate and can be turned off', async ({
  page,
}) => {
  await test.step('a conversation is merged into one found by search or of the same contact', async () => {
    const email = `twice.${Date.now()}@example.com`;
    await openInbox(page);
    const first = await startConversation(page, email, `First ${Date.now()}`);
    const merge = page.getByRole('button', { name: 'Merge into another conversation' });
    const dialog = page.getByRole('dialog', { name: 'Merge into another conversation' });
    await merge.click();
    await expect(dialog).toContainText('This contact has no other conversation.');
    await dialog.getByLabel('Find the conversation').fill('cracked hopper');
    await expect(dialog.getByRole('radio', { name: /cracked hopper/ }).first()).toBeVisible();
    await dialog.getByLabel('Find the conversation').fill('nothing is like this');
    await expect(dialog).toContainText('No matches.');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    const second = await startConversation(page, email, `Second ${Date.now()}`);
    await merge.click();
    await expect(dialog.getByRole('button', { name: 'Merge' })).toBeDisabled();
    await dialog.getByRole('radio', { name: first }).check();
    await expect(dialog).toContainText(`${second} will be merged into ${first}.`);
    await dialog.getByRole('button', { name: 'Merge' }).click();

    await expect(title(page, first)).toBeVisible();
    await expect(thread(page)).toContainText('merged another conversation into this one');
    await thread(page).getByRole('link', { name: second, exact: true }).click();
    await expect(title(page, second)).toBeVisible();
    const article = page.getByRole('article', { name: second });
    await expect(article).toContainText(`This conversation was merged into ${first}.`);
    await expect(article.getByRole('button', { name: 'Solve', exact: true })).toHaveCount(0);
    await expect(details(page).getByRole('combobox')).toHaveCount(0);
  });

  await test.step('shortcuts are listed under ?, navigate, and can be turned off', async () => {
    await page.goto('/inbox');
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(list).toContainText('Assign to me');
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();

    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/contacts');
    await page.keyboard.press('c');
    await expect(page.getByRole('form', { name: 'New conversation' })).toBeVisible();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await list.getByLabel('Use these shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    await page.keyboard.press('c');
    await page.keyboard.press('?');
    await expect(list).toBeVisible();
    await expect(page.getByRole('form', { name: 'New conversation' })).toHaveCount(0);
  });
});

test('the keyboard opens neighbours, solves, tags and goes back', { tag: '@journey' }, async ({ page }) => {
  await openInbox(page);
  const subject = await startConversation(page, `keys.${Date.now()}@example.com`, `Keys ${Date.now()}`);
  await page.keyboard.press('Escape');
  await expect(title(page, subject)).toBeHidden();

  const rows = page.locator('[data-conversation]');
  await expect(rows.first()).toContainText(subject);
  await page.keyboard.press('j');
  await expect(rows.first()).toHaveAttribute('aria-current', 'true');
  await expect(title(page, subject)).toBeVisible();
  const next = (await rows.nth(1).getAttribute('data-conversation')) ?? '';
  const isOpen = (id: string) => expect(page.locator(`[data-opened="${id}"]`)).toBeVisible();
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toHaveAttribute('aria-current', 'true');
  await isOpen(next);
  const opened = page.locator('[data-opened]');
  await thread(page).focus();
  await page.keyboard.press('Escape');
  await expect(opened).toHaveCount(0);
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await isOpen(next);
  await page.keyboard.press('Escape');
  await expect(opened).toHaveCount(0);
  await page.keyboard.press('k');
  await expect(title(page, subject)).toBeVisible();

  await clickOnceShown(page, 'Undo', () => page.keyboard.press('e'));
  await expect(title(page, subject)).toBeVisible();
  await expect(thread(page)).toContainText('changed the status from solved to open');
  await expect(page.getByRole('button', { name: 'Status: Open' })).toBeVisible();

  await page.getByRole('button', { name: 'Details' }).click();
  await expect(details(page)).toBeHidden();
  await page.keyboard.press('t');
  await expect(details(page).getByLabel('New tag')).toBeFocused();
  await page.keyboard.type('keyboard');
  await page.keyboard.press('Enter');
  await expect(details(page).getByRole('list', { name: 'Tags' })).toContainText('keyboard');
  // Until it is closed, keys go into the field.
  await expect(details(page).getByLabel('New tag')).toHaveCount(0);

  await page.keyboard.press('e');
  await isOpen(next);

  await page.keyboard.press('/');
  await expect(page.locator('[data-shortcut="search"]')).toBeFocused();
  // In a field, letters are input.
  await page.keyboard.type('e');
  await expect(page.getByRole('button', { name: 'Status: Open' })).toBeVisible();
});

test('a viewer sees plain values, no edit controls and no notifications, and learns why they cannot write', async ({
  page: viewer,
}) => {
  await signIn(viewer, 'viewer@demo.test', '/inbox');
  const bell = viewer.getByRole('button', { name: 'Notifications', exact: true }).locator('visible=true');
  await bell.click();
  const notifications = viewer.getByRole('dialog', { name: 'Notifications' });
  await expect(notifications).toContainText('You’ll be notified here when a conversation is assigned to you');
  await expect(notifications.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0);
  await viewer.keyboard.press('Escape');

  await viewer.locator('[data-conversation]').first().click();
  await expect(viewer.getByText('Viewers of this workspace can read conversations')).toBeVisible();
  await expect(viewer.getByRole('textbox', { name: 'Reply' })).toBeHidden();
  await expect(details(viewer)).toContainText('Assigned to');
  await expect(details(viewer).getByRole('combobox')).toHaveCount(0);
  for (const name of [
    'Solve',
    'Snooze',
    'Add tag',
    'Assign to me',
    'New conversation',
    'Merge into another conversation',
  ]) {
    await expect(viewer.getByRole('button', { name })).toHaveCount(0);
  }
});

function openInbox(page: Page) {
  return signIn(page, 'owner@demo.test', '/inbox');
}

/** Opens the same conversation as a second teammate. */
async function openAs(openElsewhere: () => Promise<Page>, email: string, address: string): Promise<Page> {
  const page = await openElsewhere();
  await signIn(page, email, address);
  await expect(thread(page)).toBeVisible();
  return page;
}

async function addCopyAndFile(form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Cc, Bcc' }).click();
  await form.getByRole('textbox', { name: 'Cc', exact: true }).fill('bob@example.com,');
  const order = { name: 'order.txt', mimeType: 'text/plain', buffer: Buffer.from('Two boots') };
  await form.locator('input[type=file]').setInputFiles(order);
  await expect(form.getByRole('list', { name: 'Files to send' })).toContainText('order.txt');
}

function thread(page: Page) {
  return page.getByRole('region', { name: 'Messages' });
}

function details(page: Page) {
  return page.getByRole('region', { name: 'Details' });
}

function title(page: Page, subject: string) {
  return page.getByRole('heading', { name: subject, level: 2 });
}
