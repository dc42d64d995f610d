/** HTML with one accessibility error each. `found`: the error that the check reports. */
export const ACCESSIBILITY_FAULTS = [
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
