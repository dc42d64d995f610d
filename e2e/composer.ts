import type { Page } from '@playwright/test';
import type { Connection } from './connection.ts';
import { connect, signIn } from './steps.ts';

export const box = (page: Page, name: 'Reply' | 'Note') => page.getByRole('textbox', { name, exact: true });
export const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });
export const waiting = (page: Page) => page.getByRole('list', { name: 'Replies not sent yet' });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** A suggestion. */
export const option = (page: Page, name: RegExp) => page.getByRole('listbox').getByRole('option', { name });

/** Starts a conversation by a workflow of the owner, who stays connected and signed in. */
export async function startConversation(
  page: Page,
  workspace?: string,
): Promise<{ id: string; connection: Connection }> {
  const connection = await connect(page, 'owner@demo.test', workspace);
  const { id } = await connection.run('create-conversation', {
    to_email: `nora.${Date.now()}@example.com`,
    to_name: 'Nora Newcomer',
    subject: `Order ${Date.now()}`,
    content: 'Your order is on its way.',
  });
  return { id, connection };
}

/** Starts a conversation and opens it in the inbox. */
export async function openConversation(page: Page): Promise<{ inbox: string; connection: Connection }> {
  const { id, connection } = await startConversation(page);
  const inbox = `/inbox?selected=${id}`;
  await page.goto(inbox);
  return { inbox, connection };
}

export async function openOf(openElsewhere: () => Promise<Page>, email: string, path: string): Promise<Page> {
  const page = await openElsewhere();
  await signIn(page, email, path);
  return page;
}
