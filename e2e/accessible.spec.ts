import { expect, type Page } from '@playwright/test';
import { ACCESSIBILITY_FAULTS } from './accessibility-faults.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { test } from './test.ts';

// Tests of the accessibility check itself: it must find an error that exists in one colour scheme or width only.

for (const { name, style = '', body, found } of ACCESSIBILITY_FAULTS) {
  test(`finds ${name}`, async ({ page }) => {
    await open(page, pageWith(style, body));
    await expect(expectAccessibleEverywhere(page)).rejects.toThrow(found);
  });
}

test('a page without errors passes, and its viewport and colour scheme are restored', async ({ page }) => {
  await open(page, pageWith('', '<label class="phone">Name <input></label><p class="desktop">Wide</p>'));
  const readState = () =>
    page.evaluate(() => [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]);
  const before = await readState();
  await expectAccessibleEverywhere(page);
  expect(await readState()).toEqual(before);
});

/** Serves the page on the service's origin, because axe inspects same-origin frames only. */
async function open(page: Page, html: string): Promise<void> {
  await page.route('**/planted', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto('/planted');
}

/** A page with one error. */
function pageWith(style: string, body: string) {
  return `<!doctype html><html lang="en"><head><title>Planted</title><meta name="viewport" content="width=device-width">
  <style>
    :root { color-scheme: light dark; background: light-dark(#fff, #111); color: light-dark(#111, #fff) }
    .phone { display: none }
    @media (max-width: 600px) { .phone { display: block } .desktop { display: none } }
    @media (prefers-color-scheme: dark) { .faint-in-dark { color: #333 } }
    ${style}
  </style></head><body><main><h1>Planted</h1><p>Nothing is wrong here.</p>${body}</main></body></html>`;
}
