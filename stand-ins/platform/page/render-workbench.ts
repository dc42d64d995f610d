import { type Html, html } from '../../http/html.ts';
import { STEPS } from '../catalogue/steps.ts';
import { TRIGGERS } from '../catalogue/triggers.ts';
import { findSubscription } from '../hooks/subscribe.ts';
import type { Platform } from '../platform.ts';
import type { Connection, SeenRecord } from '../state.ts';
import { renderEvent } from './render-event.ts';
import { renderStep } from './render-step.ts';
import { renderTrigger } from './render-trigger.ts';

const EVENTS_SHOWN = 50;

/** Renders the parts for the selected connection. `steps` are actions and searches. */
export function renderWorkbench(
  { state }: Platform,
  connection: Connection,
): Record<'triggers' | 'events' | 'steps', Html> {
  const events = state.events.filter((event) => event.connectionId === connection.id).slice(0, EVENTS_SHOWN);
  return {
    triggers: html`
      <section aria-labelledby="triggers">
        <h2 id="triggers">Triggers</h2>
        <p>Turn one on to see its events without a workflow. They start nothing.</p>
        ${renderStacks(TRIGGERS.map((trigger) => renderTrigger(trigger, findSubscription(state, connection.id, trigger.key))))}
      </section>`,
    events: html`
      <aside aria-labelledby="events">
        <h2 id="events">Events</h2>
        <p>As they arrive, newest first.</p>
        <p role="status" aria-live="polite" id="announcer"></p>
        <ol id="events-list" role="list" aria-labelledby="events" data-swap>${events.map(renderEvent)}</ol>
        <p>Nothing yet. Create a workflow, then start something in the inbox, or run Create Conversation under Actions.</p>
      </aside>`,
    steps: html`
      <section aria-labelledby="actions">
        <h2 id="actions">Actions</h2>
        <p>Run one once, by hand, and see the response.</p>
        ${renderStacks(STEPS.filter(({ kind }) => kind === 'action').map(renderStep))}
      </section>
      <section aria-labelledby="searches">
        <h2 id="searches">Searches</h2>
        <p>Find a contact or a conversation, and see the response.</p>
        ${renderStacks(STEPS.filter(({ kind }) => kind === 'search').map(renderStep))}
      </section>
      ${renderSeen('seen-conversation', connection.seenConversations)}
      ${renderSeen('seen-contact', connection.seenContacts)}`,
  };
}

/** Renders two stacks side by side, so a growing card moves only the cards below it. */
function renderStacks(cards: Html[]): Html {
  const half = Math.floor(cards.length / 2);
  return html`
    <div>
      <div>${cards.slice(0, half)}</div>
      <div>${cards.slice(half)}</div>
    </div>`;
}

function renderSeen(id: string, records: SeenRecord[]): Html {
  return html`
    <datalist id="${id}" data-swap data-live>
      ${records.map((record) => html`<option value="${record.id}">${record.title}</option>`)}
    </datalist>`;
}
