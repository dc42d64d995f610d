import { type Html, html, toText } from '../../http/html.ts';
import type { Settings } from '../settings.ts';

const SECTIONS = [
  ['/', 'Chats'],
  ['/mail', 'Mailbox'],
  ['/accounts', 'Accounts'],
  ['/calls', 'Calls'],
] as const;

/** Renders a page. Parts marked `data-live` are reloaded when the state changes. */
export function renderPage({ serviceName }: Settings, section: string, content: Html): string {
  return toText(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${section} · Providers of ${serviceName}</title>
    <link rel="icon" href="/public/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/public/page.css">
    <script type="module" src="/public/page.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <p class="brand">Providers<span> of ${serviceName}</span></p>
      <nav aria-label="Sections">${SECTIONS.map(
        ([href, name]) =>
          html`<a href="${href}" ${name === section && html`aria-current="page"`}>${name}</a>`,
      )}</nav>
    </header>
    <main id="main">${content}</main>
  </body>
</html>
`);
}

/** Renders a time of day, with the full timestamp on hover. */
export function renderTime(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${at.toISOString()}">${at.toTimeString().slice(0, 8)}</time>`;
}

export type Option = { value: string; label: string };
type SelectParts = { id: string; name: string; label: string; options: Option[]; chosen: string };

export function renderSelect({ id, name, label, options, chosen }: SelectParts): Html {
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${options.map(
    ({ value, label: words }) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${words}</option>`,
  )}</select></div>`;
}
