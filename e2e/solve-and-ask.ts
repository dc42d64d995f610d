import type { Page } from '@playwright/test';
import { mailTo } from './mails.ts';
import { connect } from './steps.ts';

/**
 * Starts and solves an email conversation by a workflow, and opens it in the owner's `page`.
 * @returns the path of a score's link in the rating email
 */
export async function solveAndAsk(page: Page, email: string, score: number): Promise<string> {
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
