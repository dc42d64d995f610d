import { type Html, html } from '../../http/html.ts';
import { ADDED_TYPES } from '../dns/dns-message.ts';
import type { Providers } from '../providers.ts';
import { renderSelect } from './render-page.ts';

const OPTIONS = ADDED_TYPES.map((type) => ({ value: type, label: type }));

/** Renders the page that adds DNS records, like a registrar's. */
export function renderDns({ settings, state }: Providers, notice: string | null): Html {
  const { records } = state.dns;
  const { hostname } = new URL(settings.serviceUrl);
  return html`
    <div>
      <h1>DNS</h1>
      <p>The name server of this trial. Add any domain that ends in .test in Settings > Channels > Email, then enter its records here. An MX record to ${hostname} makes the service receive the domain’s email. Contacts with an address at .example or example.com sign their emails, so their senders are verified.</p>
      ${notice && html`<p role="status">${notice}</p>`}
      <form method="post" action="/dns">
        ${renderSelect({ id: 'type', name: 'type', label: 'Type', options: OPTIONS, chosen: 'TXT' })}
        <div><label for="name">Name</label><input id="name" name="name" required></div>
        <div><label for="value">Value</label><input id="value" name="value" required></div>
        <button data-tone="main">Add record</button>
      </form>
      <section data-live id="records">
        ${records.length === 0 && html`<p>No records yet.</p>`}
        ${
          records.length > 0 &&
          html`<table>
          <thead><tr><th>Type</th><th>Name</th><th>Value</th><td></td></tr></thead>
          <tbody>${records.map(
            ({ type, name, value }, index) => html`<tr>
              <td>${type}</td><td>${name}</td><td><code>${value}</code></td>
              <td><form method="post" action="/dns/remove">
                <input type="hidden" name="index" value="${String(index)}">
                <button aria-label="Remove ${type} ${name}">Remove</button>
              </form></td></tr>`,
          )}</tbody>
        </table>`
        }
      </section>
    </div>`;
}
