import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { box, openConversation, thread, waiting } from './composer.ts';
import { resetPlatform } from './steps.ts';
import { test } from './test.ts';

// A program suggests replies, and a teammate sends, edits and dismisses them.

test('a suggested reply appears with its reason, is sent with one key, edited, or dismissed', async ({
  page,
  request,
}) => {
  await resetPlatform(page);
  const { inbox } = await openConversation(page);
  const token = await createToken(page);
  await page.goto(inbox);
  await expect(box(page, 'Reply')).toBeVisible();
  const suggest = async (content: string) => {
    const id = new URL(inbox, 'http://localhost').searchParams.get('selected');
    const response = await request.post(`/api/v1/conversations/${id}/suggested-replies`, {
      headers: { authorization: `Bearer ${token}` },
      data: { content, reason: 'Nora asks where it is.' },
    });
    expect(response.status()).toBe(201);
    await expect(suggested).toContainText(content);
  };
  const suggested = page.getByRole('list', { name: 'Suggested replies' });

  await suggest('It arrives on Monday.');
  await expect(suggested).toContainText('Suggested by Assistant');
  await expect(suggested).toContainText('Why: Nora asks where it is.');
  await expectAccessibleEverywhere(page);
  await suggest('It arrives on Tuesday.');
  await expect(suggested).not.toContainText('Monday');
  await thread(page).focus();
  await page.keyboard.press('y');
  await expect(suggested).toBeHidden();
  await expect(waiting(page)).toContainText('It arrives on Tuesday.');
  await expect(thread(page)).toContainText('It arrives on Tuesday.');

  await suggest('And thank you.');
  await suggested.getByRole('button', { name: 'Edit' }).click();
  await expect(box(page, 'Reply')).toHaveValue('And thank you.');
  await expect(box(page, 'Reply')).toBeFocused();
  await expect(suggested).toBeHidden();
  await box(page, 'Reply').fill('');

  await suggest('Goodbye.');
  await suggested.getByRole('button', { name: 'Dismiss' }).click();
  await expect(suggested).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(box(page, 'Reply')).toHaveValue('Goodbye.');
  await expect(thread(page).getByText('It arrives on Tuesday.')).toHaveCount(1);
});

async function createToken(page: Page): Promise<string> {
  await page.goto('/settings/developers');
  await page.getByRole('button', { name: 'Create API token' }).click();
  const form = page.getByRole('dialog', { name: 'Create API token' });
  await form.getByRole('textbox', { name: 'Label' }).fill('Assistant');
  await form.getByRole('checkbox', { name: 'Suggest replies' }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy your API token' });
  return (await shown.locator('code').textContent()) ?? '';
}
