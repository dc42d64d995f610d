import { type Html, html } from '../../http/html.ts';

const shapes = {
  bolt: html`<path d="M13 2 5 13.5h5.5L10 22l8.5-12H13z"/>`,
  play: html`<path d="M7 4.5v15l12.5-7.5z"/>`,
  search: html`<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5.5 5.5"/>`,
  inbox: html`<path d="M4 13.5 6.5 5h11L20 13.5V19H4z"/><path d="M4 13.5h4.5l1.5 2.5h4l1.5-2.5H20"/>`,
  flow: html`<circle cx="5.5" cy="12" r="3"/><circle cx="18" cy="5.5" r="3"/><circle cx="18" cy="18.5" r="3"/><path d="M8.5 12H11c2.5 0 1.5-6.5 4-6.5M11 12c2.5 0 1.5 6.5 4 6.5"/>`,
  chevron: html`<path d="m9 6 6 6-6 6"/>`,
} as const;

/** A drawing that says nothing to a screen reader: the words beside it do. */
export function icon(name: keyof typeof shapes): Html {
  return html`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`;
}

/** The coloured square that tells triggers, actions and searches apart at a glance. */
export function tile(name: keyof typeof shapes, kind: 'trigger' | 'action' | 'search' | 'app'): Html {
  return html`<span class="tile tile-${kind}">${icon(name)}</span>`;
}
