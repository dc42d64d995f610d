import { type Html, html, toText } from './html.ts';

export type DocumentParts = {
  title: string;
  /** Name of the stand-in, next to its icon. */
  brand: Html | string;
  sections: readonly { href: string; name: string; isCurrent?: boolean }[];
  content: Html;
};

/** Renders a page of a stand-in: the bar with its sections, and the content. Its files are those of `servePageFiles`. */
export function renderDocument({ title, brand, sections, content }: DocumentParts): string {
  return toText(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page.css">
    <script type="module" src="/page.js"></script>
  </head>
  <body>
    <a href="#main">Skip to content</a>
    <header>
      <a href="/"><img src="/icon.svg" alt="" width="24" height="24"><span>${brand}</span></a>
      ${sections.length > 0 && html`<nav aria-label="Sections">${sections.map(({ href, name, isCurrent }) => html`<a href="${href}" ${isCurrent && html`aria-current="page"`}>${name}</a>`)}</nav>`}
    </header>
    <main id="main">${content}</main>
  </body>
</html>
`);
}

/** Renders a time of day, with the full timestamp on hover and for machines. */
export function renderTime(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${at.toISOString()}">${at.toTimeString().slice(0, 8)}</time>`;
}
