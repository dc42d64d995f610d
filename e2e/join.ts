import type { Page } from '@playwright/test';
import { linkIn, mailTo } from './mails.ts';
import { DEMO_PASSWORD, signIn } from './steps.ts';

/**
 * Invites a new teammate to Demo Growth, who joins in another browser. For flows that change how someone signs in, which would stop the
 * flows that use a demo account.
 * @returns their address
 */
export async function joinDemo(
  page: Page,
  theirs: Page,
  { name, role = 'Agent' }: { name: string; role?: 'Agent' | 'Owner' },
): Promise<string> {
  const email = `${name.split(' ', 1)[0]?.toLowerCase()}.${Date.now()}@example.com`;
  await signIn(page, 'owner@demo.test', '/settings/teammates');
  const form = page.getByRole('form', { name: 'Invite a teammate' });
  await form.getByLabel('Email').fill(email);
  if (role !== 'Agent') await form.getByLabel('Role').selectOption({ label: role });
  await form.getByRole('button', { name: 'Invite' }).click();
  await theirs.goto(linkIn(await mailTo(email)));
  await theirs.getByLabel('Your name').fill(name);
  await theirs.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await theirs.getByRole('button', { name: /^Join / }).click();
  await theirs.waitForURL('**/inbox');
  return email;
}
