import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { mailTo } from './mails.ts';
import { connect, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// After a conversation is solved, its contact is asked for a rating by email and rates by the link.

test.beforeEach(({ page }) => resetPlatform(page));

test('opening the link records no rating, sending the form does, and the conversation shows it', async ({
  page,
  openElsewhere,
}) => {
  const path = await solveAndAsk(page, `rita.${Date.now()}@example.com`, 4);
  const contact = await openElsewhere();
  await contact.goto(path);
  await expect(contact.locator('[name=score]:checked')).toHaveValue('4');
  await expectAccessibleEverywhere(contact);
  await page.reload();
  const thread = page.getByRole('region', { name: 'Messages' });
  await expect(thread).toContainText('changed the status from open to solved');
  await expect(thread).not.toContainText('rated');

  await contact.getByLabel('Comment (optional)').fill('Quick');
  await contact.getByRole('button', { name: 'Send rating' }).click();
  await expect(contact.getByText('Thank you. You rated this 4 of 5, good.')).toBeVisible();
  await expectAccessible(contact);
  await expect(thread).toContainText('Quick');
});

test('a contact rates without JavaScript', async ({ page, browser }) => {
  const path = await solveAndAsk(page, `rolf.${Date.now()}@example.com`, 5);
  const contact = await browser.newPage({ javaScriptEnabled: false });
  await contact.goto(path);
  await contact.getByText('Bad', { exact: true }).click();
  await contact.getByLabel('Comment (optional)').fill('It took long');
  await contact.getByRole('button', { name: 'Send rating' }).click();
  await expect(contact.getByText('Thank you. You rated this 2 of 5, bad.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('It took long');
  await contact.close();
});

/**
 * Starts and solves an email conversation by a workflow, and opens it in the owner's `page`.
 * @returns the path of a score's link in the rating email
 */
async function solveAndAsk(page: Page, email: string, score: number): Promise<string> {
  const connection = await connect(page, 'owner@demo.test');
  const content = { subject: 'Your order', content: 'It has left us.' };
  const { id } = await connection.run('create-conversation', { to_email: email, ...content });
  await connection.run('update-conversation', { conversation_id: id, status: 'solved' });
  await page.goto(`/inbox?selected=${id}`);
  const mail = await mailTo(email, 1);
  const link = new RegExp(`https?://\\S+\\?score=${score}`).exec(mail)?.[0];
  if (link === undefined) throw new Error(`There is no link for ${score} in this email:\n${mail}`);
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}
