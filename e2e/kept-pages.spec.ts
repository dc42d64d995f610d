import { expect, type Page } from '@playwright/test';
import { test } from './test.ts';

// Flows share pages, and nothing else: what one leaves behind, the next one does not find.

test.describe.configure({ mode: 'serial' });

async function leftIn(page: Page) {
  await page.goto('/sign-in');
  return {
    cookies: (await page.context().cookies()).map(({ name }) => name),
    stored: await page.evaluate(() => Object.keys(localStorage)),
    pages: page.context().pages().length,
    width: page.viewportSize()?.width,
    isDark: await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches),
  };
}

const NOTHING = { cookies: [], stored: [], pages: 1, width: 1280, isDark: false };

async function leave(page: Page): Promise<void> {
  await page.context().addCookies([{ name: 'left', value: 'behind', url: page.url() }]);
  await page.evaluate(() => localStorage.setItem('left', 'behind'));
  await page.context().newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.route('**/sign-in', (route) => route.abort());
}

for (const turn of ['first', 'next']) {
  test(`the ${turn} flow finds its pages as nobody has used them`, async ({ page, openElsewhere }) => {
    const other = await openElsewhere();
    for (const each of [page, other]) expect(await leftIn(each)).toEqual(NOTHING);
    for (const each of [page, other]) await leave(each);
    expect((await page.context().cookies()).length).toBe(1);
  });
}
