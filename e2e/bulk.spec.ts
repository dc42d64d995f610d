import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { clickOnceShown } from './click-once-shown.ts';
import { holdRequests } from './hold-requests.ts';
import { connect, signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate changes several conversations with one action.

test('selected conversations are tagged and solved by keyboard, and Undo reopens them', async ({ page }) => {
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
  await expectAccessibleEverywhere(page);

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
  await expectAccessibleEverywhere(page);
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByText(/^1 conversation merged into/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
    'merged another conversation into this one',
  );
});

test('a view whose conversations are still being selected is not selected in another view', async ({
  page,
}) => {
  await signIn(page, 'owner@demo.test', '/inbox?status=all');
  const { rows, boxes, bar } = inbox(page);
  await rows.first().hover();
  await boxes.first().click();
  await bar.getByRole('checkbox', { name: 'Select all listed conversations' }).click();
  const wholeView = /inbox\.list.*rows%22%3A300/;
  const release = await holdRequests(page, wholeView);
  const answered = page.waitForResponse(wholeView);
  await bar.getByRole('button', { name: 'Select all in view' }).click();
  await expect(bar.getByRole('button', { name: 'Selecting' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: /^Open/ }).click();
  await expect(page).toHaveURL(/\/inbox$/);
  await expect(bar).toHaveCount(0);
  release();
  await answered;
  await rows.first().click();
  await expect(page.locator('[data-opened]')).toBeVisible();
  await expect(bar).toHaveCount(0);
});

function inbox(page: Page) {
  const list = page.getByRole('list', { name: 'Conversations' });
  return {
    rows: list.getByRole('link'),
    boxes: list.getByRole('checkbox'),
    bar: page.getByRole('region', { name: 'Selected conversations' }),
  };
}
