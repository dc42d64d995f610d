import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { ACCESSIBILITY_FAULTS } from './accessibility-faults.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import * as checked from './checked-paths.ts';
import { test } from './test.ts';

// Tests of the accessibility check itself: it must find an error that exists in one colour scheme or width only.

test('finds each error of a page with one error, and none in a page without errors, which it restores', async ({
  page,
}) => {
  await test.step('finds each error of a page with one error, with the rule and the element', async () => {
    for (const { name, style = '', body, found } of ACCESSIBILITY_FAULTS) {
      await test.step(name, async () => {
        await open(page, pageWith(style, body));
        await expect(expectAccessibleEverywhere(page, 'all')).rejects.toThrow(found);
      });
    }
  });

  await test.step('a page without errors passes, and its viewport and colour scheme are restored', async () => {
    await open(page, pageWith('', '<label class="phone">Name <input></label><p class="desktop">Wide</p>'));
    const readState = () =>
      page.evaluate(() => [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]);
    const before = await readState();
    await expectAccessibleEverywhere(page, 'all');
    expect(await readState()).toEqual(before);
  });
});

test('the everyday run finds a control without a label', { tag: '@journey' }, async ({ page }) => {
  await open(page, pageWith('', '<input class="desktop">'));
  await expect(expectAccessibleEverywhere(page, 'everyday')).rejects.toThrow(/label: .*desktop/);
});

test('each page of the app is checked with axe, and only in the flows for that', () => {
  const { PAGES_BY_FLOW, REDIRECTS, ...lists } = checked;
  const specs = new Map(
    globSync('e2e/*.spec.ts').map((file) => [basename(file), readFileSync(file, 'utf8')]),
  );
  const withCheck = [...specs].flatMap(([name, text]) =>
    text.includes('expectAccessibleEverywhere(') ? [name] : [],
  );
  const flows = [
    'accessible.spec.ts',
    'account.spec.ts',
    'dialogs.spec.ts',
    'explain.spec.ts',
    'fields.spec.ts',
    'pages.spec.ts',
    'passkeys.spec.ts',
    'required-second-factor.spec.ts',
    'second-factor.spec.ts',
    'suggested-replies.spec.ts',
  ];
  const allowed = [...flows, ...Object.values(PAGES_BY_FLOW)];
  expect(withCheck.sort()).toEqual([...new Set(allowed)].sort());
  for (const list of Object.keys(lists)) expect(specs.get('pages.spec.ts')).toContain(list);

  const paths = [...Object.values(lists).flat(), ...Object.keys(PAGES_BY_FLOW), ...REDIRECTS];
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
