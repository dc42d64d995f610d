import { expect, type Page } from '@playwright/test';
import { PROVIDERS_URL } from './mails.ts';

/** Calls a JSON door of the stand-in for the providers (stand-ins/providers/README.md). */
export async function control<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const url = `${PROVIDERS_URL}/control${path}`;
  const response = await page.request.fetch(url, { method, ...(data ? { data } : {}) });
  expect([path, response.status()]).toEqual([path, 200]);
  return response.json();
}

/** The stand-in's key of the account of Demo Growth. */
export async function accountOf(page: Page, channel: string): Promise<string> {
  const query = new URLSearchParams({ channel, workspace: 'Demo Growth' });
  const [account] = await control<{ key: string }[]>(page, 'GET', `/accounts?${query}`);
  if (!account) throw new Error(`Demo Growth has no account of ${channel}.`);
  return account.key;
}
