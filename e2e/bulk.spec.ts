import { expect } from '@playwright/test';
import { abortRequest, CHANGES, inbox, isChange, isUndo } from './bulk.ts';
import { clickOnceShown } from './click-once-shown.ts';
import { control } from './control-providers.ts';
import { holdRequests } from './hold-requests.ts';
import { mailTo } from './mails.ts';
import { startConversations } from './start-conversations.ts';
import { connect, signIn } from './steps.ts';
import { test } from './test.ts';
import { expectUncovered } from './toasts.ts';

// A teammate changes several conversations with one action.

test('selected conversations are tagged, solved and merged by keyboard, and the reply goes to whoever wrote last', {
  tag: '@journey',
}, async ({ page }) => {
  const mark = Date.now();
  const subjects = [`Bulk ${mark} first`, `Bulk ${mark} second`, `Bulk ${mark} third`];
  const connection = await connect(page, 'owner@demo.test');
  for (const [index, subject] of subjects.entries()) {
    await connection.run('create-conversation', {
      to_email: `bulk.${mark}.${index}@example.com`,
      subject,
      content: 'Your order is on its way.',
    });
  }
  const tag = `bulk-${mark}`;
  await signIn(page, 'owner@demo.test', `/inbox?search=${encodeURIComponent(`Bulk ${mark}`)}`);
  const { rows, bar, boxes } = inbox(page);
  await expect(rows).toHaveCount(3);

  await rows.nth(0).click();
  await expect(page.locator('[data-opened]')).toBeVisible();
  await page.keyboard.press('x');
  await expect(bar).toContainText('1 selected');
  await boxes.nth(2).click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 selected');
  await expect(page.getByRole('status').filter({ hasText: '3 selected' })).toBeAttached();

  await page.keyboard.press('t');
  await bar.getByRole('combobox', { name: 'New tag' }).fill(tag);
  await page.keyboard.press('Enter');
  await expect(bar).toHaveCount(0);
  for (const index of [0, 1, 2]) await expect(rows.nth(index)).toContainText(tag);

  await rows.nth(1).click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('1 selected');
  await bar.getByRole('checkbox', { name: 'Select all listed conversations' }).click();
  await expect(bar).toContainText('3 selected');
  await page.keyboard.press('Shift+X');
  await expect(bar).toHaveCount(0);
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await expect(bar).toContainText('2 selected');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('group', { name: 'Selected conversations' })).toContainText('Solve');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Command menu' })).toHaveCount(0);
  const toast = await clickOnceShown(page, 'Undo', () => page.keyboard.press('e'));
  expect(toast).toContain('2 conversations solved');
  await expect(rows).toHaveCount(3);

  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Merge 2 conversations' });
  const kept = dialog.getByRole('radio').first();
  await kept.check();
  await expect(dialog).toContainText('The other conversation will be merged into');
  await expect(dialog).toContainText('These conversations are from different contacts.');
  const explained = dialog.getByRole('region', { name: 'What the merge does' });
  await expect(explained.getByText(new RegExp(`^bulk\\.${mark}\\.\\d@example\\.com$`))).toHaveCount(2);
  await expect(explained).toContainText('The reply box names who gets the next one.');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByText(/^1 conversation merged into/)).toBeVisible();
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('merged another conversation into this one');
  await expect(messages.getByText('Your order is on its way.')).toHaveCount(2);
  await messages.getByRole('link', { name: `bulk.${mark}.` }).click();
  await page.getByRole('button', { name: 'Undo merge' }).click();
  await expect(page.getByText('Merge undone')).toBeVisible();
  await expect(messages).toContainText('undid the merge of this conversation into another one');
  await expect(page.getByRole('button', { name: 'Merge into another conversation' })).toBeVisible();
  await messages
    .getByRole('link', { name: `Bulk ${mark}` })
    .last()
    .click();
  await expect(messages).toContainText('undid the merge of another conversation into this one');
  await expect(messages.getByText('Your order is on its way.')).toHaveCount(1);

  await test.step('merged emails name each writer, and the reply goes to whoever wrote last or, with one click, to the contact', async () => {
    // Xavier's email program sends no name.
    const xavier = { address: `xavier.${mark}@contacts.example` };
    const yara = { name: 'Yara Young', address: `yara.${mark}@contacts.example` };
    const to = 'support@growth.demo.test';
    const message_id = `<first.${mark}@contacts.example>`;
    const first = { from: xavier, to, message_id, subject: `Parcel ${mark} lost`, text: 'It never came.' };
    const second = { from: yara, to, subject: `Parcel ${mark} late`, text: 'It came late.' };
    for (const mail of [first, second]) await control(page, 'POST', '/mails', mail);
    await page.goto(`/inbox?search=${encodeURIComponent(`Parcel ${mark}`)}`);
    await expect(rows).toHaveCount(2);
    await boxes.nth(0).click();
    await boxes.nth(1).click();
    await page.keyboard.press('m');
    await dialog.getByRole('radio', { name: second.subject }).check();
    await dialog.getByRole('button', { name: 'Merge' }).click();
    const written = (text: string) => messages.getByRole('listitem').filter({ hasText: text });
    await expect(written(first.text)).toContainText(xavier.address);
    await expect(written(second.text)).toContainText(yara.name);

    const again = { from: xavier, to, subject: `Re: ${first.subject}`, in_reply_to: message_id };
    await control(page, 'POST', '/mails', { ...again, text: 'My account number is 9999.' });
    await expect(written('9999')).toContainText(xavier.address);
    await expect(written('9999')).not.toContainText(yara.name);
    const answers = (who: string) => page.getByRole('button', { name: `Answer ${who} instead` });
    await expect(page.getByText(`To ${xavier.address}, who wrote last`)).toBeVisible();
    await answers(yara.name).click();
    await expect(page.getByText(`Your reply goes to ${yara.name}, not to them.`)).toBeVisible();
    await answers(xavier.address).click();
    await expect(page.getByText(`To ${xavier.address}, who wrote last`)).toBeVisible();
    await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('We found it.');
    await page.keyboard.press('Control+Enter');
    expect(await mailTo(xavier.address)).toContain('We found it.');
  });
});

test('a change of a whole view shows its progress, ends when stopped or cut off, and reports what it did', {
  tag: '@journey',
}, async ({ page }) => {
  const { search } = await startConversations(page, 22);
  // Low, so that the last rows load only when the list is scrolled.
  await page.setViewportSize({ width: 1440, height: 520 });
  await signIn(page, 'owner@demo.test', `/inbox?search=${encodeURIComponent(search)}`);
  const { rows, bar, boxes, button } = inbox(page);
  const selectWholeView = async () => {
    await expect(rows).toHaveCount(20);
    await bar.getByRole('checkbox', { name: 'Select all listed conversations' }).click();
    await expect(bar).toContainText('20 selected');
    await button('Select all in view').click();
    await expect(bar).toContainText('22 selected');
  };
  await expect(rows).toHaveCount(20);
  await boxes.first().click();
  await selectWholeView();

  const answerFirst = await holdRequests(page, CHANGES, isChange(1));
  await button('Solve selected').click();
  await expect(bar).toContainText('Changing 0 of 22 conversations');
  await button('Stop').click();
  const answerUndo = await holdRequests(page, CHANGES, isUndo);
  const stopped = await clickOnceShown(page, 'Undo', async () => answerFirst());
  expect(stopped).toContain('Stopped after 20 of 22 conversations');
  await expect(bar).toContainText('Changing 0 of 20 conversations');
  await expect(rows).toHaveCount(2);
  answerUndo();
  await expect(bar).toContainText('2 selected');

  await selectWholeView();
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(22);
  await rows.last().scrollIntoViewIfNeeded();
  const cut = await abortRequest(page, isChange(2));
  const unassign = async () => {
    await button('Assign selected to a teammate or team').click();
    await page.getByRole('menuitem', { name: 'Unassigned' }).click();
  };
  await unassign();
  await expect(bar).toContainText('Changing 20 of 22 conversations');
  await expect(bar.getByRole('progressbar')).toHaveJSProperty('value', 20);
  const account = page.getByRole('button', { name: /^Account: / });
  await expectUncovered(page, [rows.last(), rows.nth(-2), bar, account], cut);
  await expect(page.getByText('Stopped after 20 of 22 conversations')).toBeVisible();
  await expect(bar).toContainText('2 selected');
  await expect(rows.nth(19)).not.toContainText('Assigned to');
  await expect(rows.nth(20)).toContainText('Assigned to Olivia Owen');
  await unassign();
  await expect(rows.filter({ hasText: 'Assigned to' })).toHaveCount(0);

  // Later flows find the list as it was before.
  await expect(bar).toHaveCount(0);
  await boxes.last().click();
  await bar.getByRole('checkbox', { name: 'Select all listed conversations' }).click();
  await button('Mark selected as spam').click();
  await expect(page.getByText('22 conversations marked as spam')).toBeVisible();
  await expect(rows).toHaveCount(0);
});

test('clicks in the bar assign, tag, snooze and mark as spam, and one Undo restores all but what others changed', async ({
  page,
}) => {
  const { connection, ids, search } = await startConversations(page, 4);
  await signIn(page, 'owner@demo.test', `/inbox?status=all&search=${encodeURIComponent(search)}`);
  const { rows, bar, boxes, button } = inbox(page);
  const selectAll = async () => {
    await boxes.first().click();
    await boxes.last().click({ modifiers: ['Shift'] });
    await expect(bar).toContainText('4 selected');
  };
  const allContain = async (text: string) => {
    for (const row of await rows.all()) await expect(row).toContainText(text);
  };
  const noneContains = (text: string) => expect(rows.filter({ hasText: text })).toHaveCount(0);
  /** Holds back the Undo that is clicked when the toast appears, until `check` is done. */
  const undoAfter = async (cause: () => Promise<unknown>, check: () => Promise<unknown>) => {
    const answer = await holdRequests(page, CHANGES, isUndo);
    const toast = await clickOnceShown(page, 'Undo', cause);
    await check();
    answer();
    return toast;
  };
  await expect(rows).toHaveCount(4);

  await selectAll();
  await button('Assign selected to a teammate or team').click();
  await expect(page.getByRole('menuitem', { name: 'Billing' })).toBeVisible();
  const assign = () => page.getByRole('menuitem', { name: 'Amara Diallo' }).click();
  const assigned = await undoAfter(assign, () => allContain('Assigned to Amara Diallo'));
  expect(assigned).toContain('4 conversations assigned to Amara Diallo');
  await allContain('Assigned to Olivia Owen');

  await selectAll();
  await button('Tag selected').click();
  const tag = `clicked-${Date.now()}`;
  await page.getByRole('combobox', { name: 'New tag' }).fill(tag);
  await undoAfter(
    () => page.keyboard.press('Enter'),
    () => allContain(tag),
  );
  await noneContains(tag);

  await selectAll();
  await button('Snooze selected').click();
  const panel = page.getByRole('dialog', { name: 'Snooze selected' });
  await expect(panel.getByRole('textbox', { name: 'Snooze until' })).toBeFocused();
  const snooze = () => panel.getByRole('button', { name: 'Tomorrow 9:00' }).click();
  expect(await undoAfter(snooze, () => allContain('Pending'))).toContain('4 conversations snoozed until');
  await noneContains('Pending');

  await selectAll();
  await undoAfter(
    () => button('Mark selected as spam').click(),
    () => expect(rows).toHaveCount(0),
  );
  await expect(rows).toHaveCount(4);

  // A workflow closes one before the change, and solves another before the Undo.
  await selectAll();
  await button('Change status of selected').click();
  const answer = await holdRequests(page, CHANGES, isChange(1));
  const asked = page.waitForRequest(isChange());
  await page.getByRole('menuitem', { name: 'Pending' }).click();
  await asked;
  await connection.run('update-conversation', { conversation_id: ids[0] ?? '', status: 'closed' });
  const answerUndo = await holdRequests(page, CHANGES, isUndo);
  const changed = await clickOnceShown(page, 'Undo', async () => answer());
  expect(changed).toContain('3 conversations set to pending, 1 skipped');
  expect(changed).toContain('closed');
  await connection.run('update-conversation', { conversation_id: ids[1] ?? '', status: 'solved' });
  answerUndo();
  await expect(page.getByText('Undone, 1 skipped')).toBeVisible();
  await expect(page.getByText('It has been changed since.')).toBeVisible();
  await noneContains('Pending');
});
