import { type Html, html } from '../../http/html.ts';
import { renderTime } from '../../http/render-document.ts';
import type { Step } from '../catalogue/step-types.ts';
import { STEPS } from '../catalogue/steps.ts';
import { triggerOf } from '../catalogue/triggers.ts';
import type { Platform } from '../platform.ts';
import { messageOf, succeeded } from '../service/service-response.ts';
import type { Connection, PlatformState, Workflow, WorkflowRun } from '../state.ts';
import { pretty } from './render-event.ts';
import { renderResponseMode } from './render-trigger.ts';
import { renderWorkflowForm } from './render-workflow-form.ts';

const RUNS_SHOWN = 5;

/** Renders the workflows of a connection with their last runs, and the form for a new one. */
export function renderWorkflows(
  { state, settings }: Platform,
  connection: Connection,
  query: URLSearchParams,
) {
  const workflows = [...state.workflows.values()].filter((each) => each.connectionId === connection.id);
  return html`
    <section aria-labelledby="workflows">
      <h2 id="workflows">Workflows</h2>
      <p>A workflow waits for one kind of event (its trigger) and then does one thing in ${settings.serviceName} (its action). While it is on, it runs by itself.</p>
      <output id="workflow-answer"></output>
      <ul id="workflows-list" role="list" aria-labelledby="workflows" data-swap data-live>
        ${workflows.toReversed().map((workflow) => renderWorkflow(state, workflow))}
      </ul>
      ${renderWorkflowForm(query)}
    </section>`;
}

function renderWorkflow({ subscriptions }: PlatformState, workflow: Workflow): Html {
  const id = `workflow-${workflow.id}`;
  const trigger = triggerOf(workflow.trigger);
  const action = STEPS.find(({ key }) => key === workflow.action);
  const isOn = workflow.subscriptionKey !== null;
  const subscription = subscriptions.get(workflow.subscriptionKey ?? '');
  return html`
    <li id="${id}" aria-labelledby="${id}-name">
      <header>
        <h3 id="${id}-name">${trigger.name} → ${action?.name ?? workflow.action}</h3>
        <button id="${id}-switch" role="switch" aria-checked="${isOn ? 'true' : 'false'}" aria-describedby="${id}-name" data-switch="${workflow.id}">${isOn ? 'On' : 'Off'}</button>
      </header>
      <dl>
        ${workflow.filter && html`<dt>${trigger.filter?.label}</dt><dd>${workflow.filter}</dd>`}
        ${renderValues(action, workflow.values)}
      </dl>
      ${workflow.stopped && html`<p data-tone="bad">${workflow.stopped}</p>`}
      ${renderRuns(id, workflow.runs, action)}
      <footer>
        ${subscription && renderResponseMode(`${id}-mode`, subscription)}
        <button id="${id}-delete" aria-describedby="${id}-name" data-delete="${workflow.id}">Delete</button>
      </footer>
    </li>`;
}

/** Renders the filled fields of an action. */
function renderValues(action: Step | undefined, values: Record<string, string>): Html[] {
  return (action?.fields ?? [])
    .filter(({ name }) => values[name])
    .map(({ name, label }) => html`<dt>${label}</dt><dd>${values[name]}</dd>`);
}

function renderRuns(id: string, runs: WorkflowRun[], action: Step | undefined): Html {
  if (runs.length === 0)
    return html`<p><small>No runs yet. It runs when its trigger’s next event arrives.</small></p>`;
  return html`
    <h4 id="${id}-runs">Last runs</h4>
    <ol role="list" aria-labelledby="${id}-runs">${runs.slice(0, RUNS_SHOWN).map((run) => renderRun(run, action))}</ol>`;
}

function renderRun({ id, startedAt, values, response }: WorkflowRun, action: Step | undefined): Html {
  const good = response === null || succeeded(response);
  const problem = good ? null : messageOf(response);
  return html`
    <li>
      <details id="run-${id}">
        <summary>
          <strong data-tone="${good ? 'good' : 'bad'}">${response === null ? 'Running' : good ? 'Succeeded' : 'Failed'}</strong>
          ${renderTime(startedAt)}
          ${problem && html`<small>${problem}</small>`}
        </summary>
        <dl>${renderValues(action, values)}</dl>
        ${response?.status != null && html`<pre tabindex="0" role="group" aria-label="Response as JSON">${pretty(response.body)}</pre>`}
      </details>
    </li>`;
}
