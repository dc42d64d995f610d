import { expect } from '@playwright/test';
import { list, openFirst, thread } from './open-first.ts';
import { test } from './test.ts';

// A teammate finds notes and messages by their words.

test('a search shows the note that it found, with its words highlighted', { tag: '@journey' }, async ({
  page,
}) => {
  const id = await openFirst(page, '/inbox');
  const word = `quokka${Date.now()}`;
  await page.getByRole('tab', { name: 'Note' }).click();
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill(`Ask finance about the ${word} first`);
  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await expect(thread(page)).toContainText(word);

  await page.getByRole('textbox', { name: 'Search conversations' }).fill(word);
  const row = page.locator(`[data-conversation="${id}"]`);
  await expect(row.locator('mark')).toHaveText(word);
  await expect(row).toContainText(/Note:.*about the/);
  // The tab All also shows the status in the row, which must not cut off the found word.
  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'All' }).click();
  await expect(row).toContainText('Open');
  await expect.poll(() => row.locator('mark').evaluate(isWithinLine)).toBe(true);
  await expect(list(page).getByRole('listitem')).toHaveCount(1);

  const field = page.getByRole('textbox', { name: 'Search conversations' });
  await field.press('ArrowDown');
  await expect(row).toBeFocused();
  await field.fill('');
  await expect(list(page).getByRole('listitem')).not.toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(field).not.toBeFocused();
  // Enter waits for the results of the words that were just typed.
  await field.fill(word);
  await field.press('Enter');
  await expect(page.locator(`[data-opened="${id}"]`)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`search=${word}`));
  await field.press('Escape');
  await expect(field).toHaveValue('');
  await expect(field).toBeFocused();
});

/** Runs in the browser. Returns whether a part of a line is not cut off. */
function isWithinLine(part: Element): boolean {
  const line = part.parentElement?.getBoundingClientRect();
  return line !== undefined && part.getBoundingClientRect().right <= line.right;
}
