import { expect, type Page } from '@playwright/test';
import { startConversations } from './start-conversations.ts';
import { goWithin, signIn } from './steps.ts';
import { test } from './test.ts';

test('after Snooze, Spam, Solve and “Send and solve” the inbox opens what the teammate prefers', async ({
  page,
}) => {
  const { search } = await startConversations(page, 9);
  await signIn(page, 'admin@demo.test', `/inbox?search=${encodeURIComponent(search)}`);
  const rows = page.locator('[data-conversation]');
  await expect(rows).toHaveCount(9);
  const ids = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-conversation') ?? ''));
  const isOpen = (at: number) => expect(page.locator(`[data-opened="${ids[at]}"]`)).toBeVisible();
  const open = async (at: number) => {
    await page.locator(`[data-conversation="${ids[at]}"]`).click();
    await isOpen(at);
  };
  const isListOnly = async () => {
    await expect(page.locator('[data-opened]')).toHaveCount(0);
    expect(new URL(page.url()).searchParams.has('selected')).toBe(false);
  };

  await open(0);
  await snooze(page);
  await isOpen(1);
  await markSpam(page);
  await isOpen(2);

  await prefer(page, 'Open the previous conversation');
  await isOpen(2);
  await open(8);
  await snooze(page);
  await isOpen(7);
  await markSpam(page);
  await isOpen(6);
  await solve(page);
  await isOpen(5);
  await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('All done.');
  await page.getByRole('button', { name: 'Send and solve' }).click();
  await isOpen(4);

  await prefer(page, 'Go back to the list');
  await snooze(page);
  await isListOnly();
  await open(3);
  await markSpam(page);
  await isListOnly();
  await open(2);
  await solve(page);
  await isListOnly();

  await prefer(page, 'Open the next conversation');
});

/** Changes the setting, then goes back to the inbox, whose open conversation was shown before the change. */
async function prefer(page: Page, option: string): Promise<void> {
  const inbox = page.url();
  await goWithin(page, '/settings/account');
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/settings/account'),
  );
  const choice = page.getByLabel('After you solve a conversation');
  await choice.selectOption(option);
  expect((await saved).status()).toBe(200);
  // Until then, the conversation is not marked as changed, and would be fetched a second time after the test goes back.
  await expect(choice).toHaveAttribute('aria-busy', 'false');
  const isOpen = new URL(inbox).searchParams.has('selected');
  const refetched = isOpen ? page.waitForResponse(/conversations\.get/) : null;
  await page.goBack();
  await expect(page).toHaveURL(inbox);
  await refetched;
}

async function snooze(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('dialog', { name: 'Snooze' }).getByRole('button', { name: 'In 3 hours' }).click();
}

async function markSpam(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mark as spam' }).click();
}

function solve(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Solve', exact: true }).click();
}
