import { type Html, html } from '../../http/html.ts';
import type { Subscription } from '../state.ts';

type SelectParts = {
  id: string;
  name: string;
  options: { value: string; label: string }[];
  chosen?: string;
  /** URL from which the page loads further options. */
  source?: string;
  /** Key of the subscription whose response mode the select sets. */
  subscription?: string;
};

export function renderSelect({ id, name, options, chosen, source, subscription }: SelectParts): Html {
  return html`<select id="${id}" name="${name}" ${source && html`data-source="${source}"`} ${
    subscription && html`data-subscription="${subscription}"`
  }>${options.map(
    ({ value, label }) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${label}</option>`,
  )}</select>`;
}

/** Renders the empty area under a form for the service's response. */
export function renderResponse(): Html {
  return html`
    <div class="answer">
      <p class="answer-line" role="status"></p>
      <details hidden>
        <summary>Response as JSON</summary>
        <pre class="json" tabindex="0" role="group" aria-label="JSON"></pre>
      </details>
    </div>`;
}

const shapes = {
  bolt: html`<path d="M13 2 5 13.5h5.5L10 22l8.5-12H13z"/>`,
  play: html`<path d="M7 4.5v15l12.5-7.5z"/>`,
  search: html`<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5.5 5.5"/>`,
  inbox: html`<path d="M4 13.5 6.5 5h11L20 13.5V19H4z"/><path d="M4 13.5h4.5l1.5 2.5h4l1.5-2.5H20"/>`,
  flow: html`<circle cx="5.5" cy="12" r="3"/><circle cx="18" cy="5.5" r="3"/><circle cx="18" cy="18.5" r="3"/><path d="M8.5 12H11c2.5 0 1.5-6.5 4-6.5M11 12c2.5 0 1.5 6.5 4 6.5"/>`,
  chevron: html`<path d="m9 6 6 6-6 6"/>`,
} as const;

/** Renders a decorative icon, hidden from screen readers. */
export function icon(name: keyof typeof shapes): Html {
  return html`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`;
}

/** Renders the coloured square of a trigger, action or search. */
export function tile(name: keyof typeof shapes, kind: 'trigger' | 'action' | 'search' | 'app'): Html {
  return html`<span class="tile tile-${kind}">${icon(name)}</span>`;
}

/** Renders a time of day, with the full timestamp on hover and for machines. */
export function renderTime(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${at.toISOString()}">${at.toTimeString().slice(0, 8)}</time>`;
}

/** Returns the number of received requests as text. */
export function receivedLine({ requestCount }: Subscription): string {
  if (requestCount === 0) return 'Nothing received yet';
  return requestCount === 1 ? '1 request received' : `${requestCount} requests received`;
}
