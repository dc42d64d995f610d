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
    <output></output>
    <details hidden>
      <summary>Response as JSON</summary>
      <pre tabindex="0" role="group" aria-label="JSON"></pre>
    </details>`;
}

/** Returns the number of received requests as text. */
export function receivedLine({ requestCount }: Subscription): string {
  if (requestCount === 0) return 'Nothing received yet';
  return requestCount === 1 ? '1 request received' : `${requestCount} requests received`;
}
