import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { mailTo } from './mails.ts';
import { connect, resetPlatform } from './steps.ts';
import { test } from './test.ts';

// A contact is asked by email for a rating once their conversation is solved, and rates by the link.

test.beforeEach(({ page }) => resetPlatform(page));

/**
 * A workflow starts a conversation by email and solves it; `page` belongs to its owner, who has opened it.
 * @returns the path of the link of a score, in the mail that asks for it
 */
async function solveAndAsk(page: Page, email: string, score: number): Promise<string> {
  const connection = await connect(page, 'owner@demo.test');
  const content = { subject: 'Your order', content: 'It has left us.' };
  const { id } = await connection.run('create-conversation', { to_email: email, ...content });
  await connection.run('update-conversation', { conversation_id: id, status: 'solved' });
  await page.goto(`/inbox?selected=${id}`);
  const mail = await mailTo(email, 1);
  const link = new RegExp(`https?://\\S+\\?score=${score}`).exec(mail)?.[0];
  if (link === undefined) throw new Error(`There is no link for ${score} in this mail:\n${mail}`);
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

test('opening the link rates nothing; sending the form does, and the conversation shows it', async ({
  page,
  openElsewhere,
}) => {
  const path = await solveAndAsk(page, `rita.${Date.now()}@example.com`, 4);
  const contact = await openElsewhere();
  await contact.goto(path);
  await expect(contact.locator('[name=score]:checked')).toHaveValue('4');
  await expectAccessible(contact);
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

test('without JavaScript the contact rates all the same', async ({ page, browser }) => {
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
