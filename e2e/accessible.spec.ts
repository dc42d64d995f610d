import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { test } from './test.ts';

// Tests of the accessibility check itself: it must find an error that exists in one colour scheme or width only.

/** A page with one error. */
const pageWith = (style: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>Planted</title><meta name="viewport" content="width=device-width">
  <style>
    :root { color-scheme: light dark; background: light-dark(#fff, #111); color: light-dark(#111, #fff) }
    .phone { display: none }
    @media (max-width: 600px) { .phone { display: block } .desktop { display: none } }
    @media (prefers-color-scheme: dark) { .faint-in-dark { color: #333 } }
    ${style}
  </style></head><body><main><h1>Planted</h1><p>Nothing is wrong here.</p>${body}</main></body></html>`;

/** Serves the page on the service's origin, because axe inspects same-origin frames only. */
async function open(page: Page, html: string): Promise<void> {
  await page.route('**/planted', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto('/planted');
}

const FAULTS = [
  {
    name: 'the contrast of text in dark mode',
    body: '<p class="faint-in-dark">Faint</p>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast of text shown on phones only',
    style: '.faint { color: light-dark(#bbb, #fff) }',
    body: '<p class="phone faint">Faint</p>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast of text shown on phones only, in dark mode',
    body: '<p class="phone faint-in-dark">Faint</p>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast of text with another background on phones',
    style: '@media (max-width: 600px) { section { background: light-dark(#333, #000) } }',
    body: '<section><div><p>Faint</p></div></section>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast of text that is off-screen on wide screens',
    style: '@media (min-width: 601px) { .away { position: absolute; left: -999px } } .away { color: #bbb }',
    body: '<p class="away">Faint</p>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast inside a frame in dark mode',
    body: `<iframe title="Frame" srcdoc='<!doctype html><html lang="en"><title>Frame</title><style>:root { color-scheme: light dark } @media (prefers-color-scheme: dark) { p { background: #111; color: #333 } }</style><h2>Frame</h2><p>Faint</p></html>'></iframe>`,
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'a control without a label shown on phones only',
    body: '<input class="phone">',
    found: /label: .*input class=\W+phone/,
  },
  {
    name: 'a control without a label hidden on phones',
    body: '<input class="desktop">',
    found: /label: .*input class=\W+desktop/,
  },
  {
    name: 'an image without alternative text',
    body: '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">',
    found: /image-alt: .*img/,
  },
  {
    name: 'horizontal overflow on phones',
    body: '<p style="width: 500px">Wide</p>',
    found: /toBeLessThanOrEqual/,
  },
];

for (const { name, style = '', body, found } of FAULTS) {
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
