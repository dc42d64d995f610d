import { expect, type Page } from '@playwright/test';
import { test } from './test.ts';

// Flows share pages, but no state: a flow must not find what an earlier one left.

test.describe.configure({ mode: 'serial' });

const CLEAN = { cookies: [], stored: [], databases: [], pages: 1, width: 1440, isDark: false };

for (const turn of ['first', 'next']) {
  test(`the ${turn} flow starts with clean pages`, async ({ page, openElsewhere }) => {
    const other = await openElsewhere();
    for (const each of [page, other]) expect(await stateOf(each)).toEqual(CLEAN);
    for (const each of [page, other]) await leave(each);
    expect((await page.context().cookies()).length).toBe(1);
  });
}

async function stateOf(page: Page) {
  await page.goto('/sign-in');
  return {
    cookies: (await page.context().cookies()).map(({ name }) => name),
    stored: await page.evaluate(() => Object.keys(localStorage)),
    databases: await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
    pages: page.context().pages().length,
    width: page.viewportSize()?.width,
    isDark: await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches),
  };
}

async function leave(page: Page): Promise<void> {
  await page.context().addCookies([{ name: 'left', value: 'behind', url: page.url() }]);
  await page.evaluate(() => localStorage.setItem('left', 'behind'));
  await page.evaluate(() => void indexedDB.open('left'));
  await expect.poll(() => page.evaluate(() => indexedDB.databases())).toHaveLength(1);
  await page.context().newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.route('**/sign-in', (route) => route.abort());
}
