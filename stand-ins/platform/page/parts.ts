import { type Html, html } from '../../http/html.ts';

export type SelectParts = {
  id: string;
  name: string;
  options: { value: string; label: string }[];
  chosen?: string;
  /** Further choices are loaded from here once the page is open. */
  source?: string;
  /** The select sets the response mode of this subscription. */
  subscription?: string;
};

/** A dropdown. */
export function renderSelect({ id, name, options, chosen, source, subscription }: SelectParts): Html {
  return html`<select id="${id}" name="${name}" ${source && html`data-source="${source}"`} ${
    subscription && html`data-subscription="${subscription}"`
  }>${options.map(
    ({ value, label }) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${label}</option>`,
  )}</select>`;
}
