import { globSync, readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { ACCESSIBILITY_FAULTS } from './accessibility-faults.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import * as checked from './checked-paths.ts';
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

test('each page of the app is checked by a flow', () => {
  const { PAGES_BY_FLOW, REDIRECTS, ...lists } = checked;
  const withCheck = Object.entries(PAGES_BY_FLOW).filter(([, flow]) =>
    readFileSync(new URL(flow, import.meta.url), 'utf8').includes('expectAccessibleEverywhere('),
  );
  const paths = [...Object.values(lists).flat(), ...withCheck.map(([route]) => route), ...REDIRECTS];
  const found = new Set(paths.map((path) => path.replace(/\?.*/, '')));
  const routes = globSync('app/**/page.tsx').map(routeOf);
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !found.has(route))).toEqual([]);
  expect([...Object.keys(PAGES_BY_FLOW), ...REDIRECTS].filter((route) => !routes.includes(route))).toEqual(
    [],
  );
});

/** Returns the route of a page's file, without route groups such as `(shell)`. */
function routeOf(file: string): string {
  const folders = file.split('/').slice(1, -1);
  return `/${folders.filter((folder) => !folder.startsWith('(')).join('/')}`;
}

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
