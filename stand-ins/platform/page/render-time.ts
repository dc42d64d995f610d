import { type Html, html } from '../../http/html.ts';

/** A time of day for people, the exact moment for machines and on hover. */
export function renderTime(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${at.toISOString()}">${at.toTimeString().slice(0, 8)}</time>`;
}
