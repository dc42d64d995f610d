import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessible.ts';
import { test } from './test.ts';

// What the flows rely on: a fault that is there in one look only is found, whichever look it is.

/** A page with nothing to find, and one fault. */
const pageWith = (style: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>Planted</title><meta name="viewport" content="width=device-width">
  <style>
    :root { color-scheme: light dark; background: light-dark(#fff, #111); color: light-dark(#111, #fff) }
    .phone { display: none }
    @media (max-width: 600px) { .phone { display: block } .desktop { display: none } }
    @media (prefers-color-scheme: dark) { .faint-in-dark { color: #333 } }
    ${style}
  </style></head><body><main><h1>Planted</h1><p>Nothing is wrong here.</p>${body}</main></body></html>`;

/** At an address of the service, without asking it: axe looks into frames of the same site alone. */
async function open(page: Page, html: string): Promise<void> {
  await page.route('**/planted', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto('/planted');
}

const FAULTS = [
  {
    name: 'the contrast of a text in dark colours',
    body: '<p class="faint-in-dark">Faint</p>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast of a text that only a phone shows',
    style: '.faint { color: light-dark(#bbb, #fff) }',
    body: '<p class="phone faint">Faint</p>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast of a text that only a phone shows, in dark colours',
    body: '<p class="phone faint-in-dark">Faint</p>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast of a text that has another colour behind it on a phone',
    style: '@media (max-width: 600px) { section { background: light-dark(#333, #000) } }',
    body: '<section><div><p>Faint</p></div></section>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast of a text that is outside the window where there is room',
    style: '@media (min-width: 601px) { .away { position: absolute; left: -999px } } .away { color: #bbb }',
    body: '<p class="away">Faint</p>',
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'the contrast within a frame in dark colours',
    body: `<iframe title="Frame" srcdoc='<!doctype html><html lang="en"><title>Frame</title><style>:root { color-scheme: light dark } @media (prefers-color-scheme: dark) { p { background: #111; color: #333 } }</style><h2>Frame</h2><p>Faint</p></html>'></iframe>`,
    found: /color-contrast: .*Faint/,
  },
  {
    name: 'a control without a label that only a phone shows',
    body: '<input class="phone">',
    found: /label: .*input class=\W+phone/,
  },
  {
    name: 'a control without a label that a phone does not show',
    body: '<input class="desktop">',
    found: /label: .*input class=\W+desktop/,
  },
  {
    name: 'a picture without words',
    body: '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">',
    found: /image-alt: .*img/,
  },
  {
    name: 'a page that a phone would have to scroll sideways',
    body: '<p style="width: 500px">Wide</p>',
    found: /toBeLessThanOrEqual/,
  },
];

for (const { name, style = '', body, found } of FAULTS) {
  test(`${name} is found`, async ({ page }) => {
    await open(page, pageWith(style, body));
    await expect(expectAccessibleEverywhere(page)).rejects.toThrow(found);
  });
}

test('a page without faults passes, and is left as it was', async ({ page }) => {
  await open(page, pageWith('', '<label class="phone">Name <input></label><p class="desktop">Wide</p>'));
  const look = () =>
    page.evaluate(() => [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]);
  const before = await look();
  await expectAccessibleEverywhere(page);
  expect(await look()).toEqual(before);
});
