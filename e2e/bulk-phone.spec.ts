import { expect } from '@playwright/test';
import { abortRequest, CHANGES, inbox, isChange, isUndo } from './bulk.ts';
import { clickOnceShown } from './click-once-shown.ts';
import { holdRequests } from './hold-requests.ts';
import { startConversations } from './start-conversations.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';
import { expectUncovered } from './toasts.ts';

test('on a phone, taps select conversations and change them, and toasts cover neither the last rows nor the account menu', {
  tag: '@journey',
}, async ({ phone }) => {
  const { search } = await startConversations(phone, 3);
  await signIn(phone, 'owner@demo.test', `/inbox?search=${encodeURIComponent(search)}`);
  const { rows, bar, button } = inbox(phone);
  await expect(rows).toHaveCount(3);
  await phone.getByRole('button', { name: 'Select', exact: true }).tap();
  await expect(bar).toContainText('0 selected');
  await rows.nth(0).tap();
  await rows.nth(2).tap();
  await expect(bar).toContainText('2 selected');
  for (const word of ['Solve', 'Status', 'Assign', 'To me', 'Tag', 'Snooze', 'Merge', 'Spam']) {
    await expect(bar.getByText(word, { exact: true })).toBeVisible();
  }
  await expect(phone.locator('[data-opened]')).toHaveCount(0);
  await button('Snooze selected').tap();
  const snooze = phone.getByRole('button', { name: 'In 3 hours' });
  const answerUndo = await holdRequests(phone, CHANGES, isUndo);
  await clickOnceShown(phone, 'Undo', () => snooze.tap());
  await expect(rows).toHaveCount(1);
  answerUndo();
  await expect(rows).toHaveCount(3);
  await phone.getByRole('button', { name: 'Select', exact: true }).tap();
  await bar.getByRole('checkbox', { name: 'Select all listed conversations' }).tap();
  await button('Clear selection').tap();
  await expect(bar).toHaveCount(0);

  await phone.goto('/inbox?status=all');
  await expect(async () => {
    await rows.last().scrollIntoViewIfNeeded();
    await expect(phone.getByRole('button', { name: /^Load(ing)? more/ })).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await phone.getByRole('button', { name: 'Select', exact: true }).tap();
  // Before, a tap opens the conversation.
  await expect(bar).toContainText('0 selected');
  await rows.last().tap();
  // The request fails, so that the conversations of other flows stay as they are.
  await expectUncovered(phone, [rows.last(), rows.nth(-2), bar], async () => {
    const cut = await abortRequest(phone, isChange(1));
    await button('Solve selected').tap();
    cut();
  });
  const cut = await abortRequest(phone, isChange(1));
  await button('Solve selected').tap();
  await phone.getByRole('button', { name: 'Menu' }).tap();
  const account = phone.getByRole('button', { name: /^Account: / });
  await account.tap();
  await expectUncovered(phone, [account, phone.getByRole('menu')], cut);
});
