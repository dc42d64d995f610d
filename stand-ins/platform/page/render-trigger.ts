import { type Html, html } from '../../http/html.ts';
import type { Trigger, TriggerFilter } from '../catalogue/triggers.ts';
import { RESPONSE_MODES, type Subscription } from '../state.ts';
import { receivedLine, renderResponse, renderSelect } from './parts.ts';

const MODE_WORDS: Record<string, string> = {
  '200': '200 OK',
  '302': '302 Found (redirect)',
  '404': '404 Not Found',
  '410': '410 Gone',
  '429': '429 Too Many Requests',
  '500': '500 Internal Server Error',
  hang: 'No response (hang)',
  'break off': 'Nothing (close the connection)',
};

/** Renders a trigger as a card with its switch. The part with `data-swap` is refreshed after each change. */
export function renderTrigger(trigger: Trigger, subscription: Subscription | undefined): Html {
  const id = `trigger-${trigger.key.replace('.', '-')}`;
  return html`
    <section aria-labelledby="${id}-name">
      <div id="${id}" data-swap>
        <header>
          <h3 id="${id}-name">${trigger.name}</h3>
          ${subscription ? html`<small data-tone="good">On</small>` : html`<small data-tone="off">Off</small>`}
        </header>
        <p>${trigger.description}</p>
        <form data-trigger="${trigger.key}" novalidate autocomplete="off" inert>
          ${subscription ? renderOn(id, trigger, subscription) : renderFilter(id, trigger.filter)}
          <footer>
            ${
              subscription
                ? html`<button id="${id}-switch" name="do" value="off">Turn off</button>`
                : html`<button id="${id}-switch" name="do" value="on" data-tone="main">Turn on</button>`
            }
            <button id="${id}-samples" name="do" value="samples">Load samples</button>
          </footer>
        </form>
      </div>
      ${renderResponse()}
    </section>`;
}

/** Renders the field for the filter of a trigger that is off. */
export function renderFilter(id: string, filter: TriggerFilter | null): Html | null {
  if (!filter) return null;
  const input = filter.options
    ? renderSelect({
        id: `${id}-filter`,
        name: 'filter',
        options: [
          { value: '', label: filter.whenEmpty },
          ...filter.options.map((option) => ({ value: option, label: option })),
        ],
      })
    : html`<input id="${id}-filter" name="filter" placeholder="${filter.whenEmpty}">`;
  return html`<div><label for="${id}-filter">${filter.label}</label>${input}</div>`;
}

function renderOn(id: string, trigger: Trigger, subscription: Subscription): Html {
  const { filter } = trigger;
  return html`
    <p>
      ${filter && html`${subscription.filter ? `${filter.label}: ${subscription.filter}` : filter.whenEmpty} · `}
      <span id="received-${subscription.key}">${receivedLine(subscription)}</span>
    </p>
    <input type="hidden" name="filter" value="${subscription.filter ?? ''}">
    ${renderResponseMode(`${id}-mode`, subscription)}`;
}

/** Renders the choice of the response to the events of a subscription. */
export function renderResponseMode(id: string, { key, responseMode }: Subscription): Html {
  const options = RESPONSE_MODES.map((mode) => ({ value: mode, label: MODE_WORDS[mode] ?? mode }));
  return html`
    <div>
      <label for="${id}">Respond with <small>to try errors</small></label>
      ${renderSelect({ id, name: 'mode', options, chosen: responseMode, subscription: key })}
    </div>`;
}
