import { type Html, html } from '../../http/html.ts';
import type { Step } from '../catalogue/step-types.ts';
import { STEPS } from '../catalogue/steps.ts';
import { findTrigger, TRIGGERS, type Trigger } from '../catalogue/triggers.ts';
import { listEventFields, placeholderOf } from '../workflows/event-fields.ts';
import { renderResponse, renderSelect } from './parts.ts';
import { renderFields } from './render-step.ts';
import { renderFilter } from './render-trigger.ts';

const ACTIONS = STEPS.filter(({ kind }) => kind === 'action');
const ID = 'workflow-form';

/** Renders the form for a new workflow: its trigger, its action, and what the action's fields get from the event. */
export function renderWorkflowForm(query: URLSearchParams): Html {
  const trigger = findTrigger(query.get('trigger') ?? '') ?? TRIGGERS[0];
  const action = ACTIONS.find(({ key }) => key === query.get('action')) ?? findAction('add-note');
  if (!trigger) throw new Error('no triggers');
  return html`
    <form id="${ID}" aria-labelledby="${ID}-name" novalidate autocomplete="off" inert>
      <h3 id="${ID}-name">New workflow</h3>
      <div>
        <label for="${ID}-trigger">When this happens (trigger)</label>
        ${renderSelect({ id: `${ID}-trigger`, name: 'trigger', options: optionsOf(TRIGGERS), chosen: trigger.key })}
      </div>
      <div>
        <label for="${ID}-action">Do this (action)</label>
        ${renderSelect({ id: `${ID}-action`, name: 'action', options: optionsOf(ACTIONS), chosen: action.key })}
      </div>
      <fieldset id="${ID}-fields">
        ${renderFilter(ID, trigger.filter)}
        ${renderFields(action, ID, suggestValues(trigger, action))}
        <div>
          <label for="${ID}-insert">Field of the event</label>
          ${renderSelect({ id: `${ID}-insert`, name: 'insert', options: fieldOptions(trigger) })}
          <button type="button" data-insert="${ID}-insert">Insert</button>
          <small id="${ID}-insert-hint">Inserts a placeholder where you typed last. Each run replaces it with the value from the event.</small>
        </div>
      </fieldset>
      <footer><button data-tone="main">Create and turn on</button></footer>
      ${renderResponse()}
    </form>`;
}

function findAction(wanted: string): Step {
  const action = ACTIONS.find(({ key }) => key === wanted);
  if (!action) throw new Error(`no action ${wanted}`);
  return action;
}

function optionsOf(named: readonly { key: string; name: string }[]) {
  return named.map(({ key, name }) => ({ value: key, label: name }));
}

function fieldOptions({ key }: Trigger) {
  return listEventFields(key).map((path) => ({
    value: placeholderOf(path),
    label: path.replaceAll(/[._]/g, ' '),
  }));
}

/** Suggests values for required fields, so that a first workflow needs no typing. */
function suggestValues({ key }: Trigger, action: Step): Record<string, string> {
  const contact = key === 'contact.created' ? 'contact' : 'conversation.contact';
  const values: Record<string, string> = {
    contact_id: placeholderOf(`${contact}.id`),
    to_email: placeholderOf(`${contact}.email`),
    content: 'Thank you for your message. We’ll be in touch soon.',
    tags: 'workflow',
  };
  if (key !== 'contact.created') {
    values.conversation_id = placeholderOf('conversation.id');
    if (action.key === 'add-note') {
      values.content = `Hello from a workflow. The channel is ${placeholderOf('conversation.channel')}.`;
    }
  }
  return values;
}
