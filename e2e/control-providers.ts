import { expect, type Page } from '@playwright/test';
import { PROVIDERS_URL } from './mails.ts';

/** Calls the control API of the provider stand-in (stand-ins/providers/README.md). */
export async function control<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const url = `${PROVIDERS_URL}/control${path}`;
  const response = await page.request.fetch(url, { method, ...(data ? { data } : {}) });
  expect([path, response.status()]).toEqual([path, 200]);
  return response.json();
}

/** Returns the stand-in's key of Demo Growth's account. */
export async function accountOf(page: Page, channel: string): Promise<string> {
  const query = new URLSearchParams({ channel, workspace: 'Demo Growth' });
  const [account] = await control<{ key: string }[]>(page, 'GET', `/accounts?${query}`);
  if (!account) throw new Error(`Demo Growth has no ${channel} account.`);
  return account.key;
}
