import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { signIn } from './steps.ts';
import { test } from './test.ts';

// A teammate finds notes and messages by their words.

const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });
const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });

async function openFirst(page: Page, path: string): Promise<string> {
  await signIn(page, 'owner@demo.test', path);
  await list(page).getByRole('link').first().click();
  const opened = page.locator('[data-opened]');
  await expect(opened).toBeVisible();
  return (await opened.getAttribute('data-opened')) ?? '';
}

test('a search shows the note that it found, with its words highlighted', async ({ page }) => {
  const id = await openFirst(page, '/inbox');
  const word = `quokka${Date.now()}`;
  await page.getByRole('tab', { name: 'Note' }).click();
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill(`Ask finance about the ${word} first`);
  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await expect(thread(page)).toContainText(word);

  await page.getByRole('textbox', { name: 'Search conversations' }).fill(word);
  const row = page.locator(`[data-conversation="${id}"]`);
  await expect(row.locator('mark')).toHaveText(word);
  await expect(row).toContainText(/In a note.*about the/);
  await expect(list(page).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
});
