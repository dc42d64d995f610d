import { expect, type Page } from '@playwright/test';
import { signIn } from './steps.ts';

export const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });
export const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });

/** Signs the owner in and opens the first conversation of a list. Returns its id. */
export async function openFirst(page: Page, path: string): Promise<string> {
  await signIn(page, 'owner@demo.test', path);
  await list(page).getByRole('link').first().click();
  const opened = page.locator('[data-opened]');
  await expect(opened).toBeVisible();
  return (await opened.getAttribute('data-opened')) ?? '';
}
