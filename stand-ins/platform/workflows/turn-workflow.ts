import { randomUUID } from 'node:crypto';
import type { Step } from '../catalogue/step-types.ts';
import { type Trigger, triggerOf } from '../catalogue/triggers.ts';
import { subscribe, unsubscribe } from '../hooks/subscribe.ts';
import type { Platform } from '../platform.ts';
import { type ServiceResponse, succeeded, unanswered } from '../service/service-response.ts';
import type { Connection, Workflow } from '../state.ts';

type NewWorkflow = { trigger: Trigger; filter: string; action: Step; values: Record<string, string> };

/**
 * Creates a workflow and turns it on. Nothing is created when a required field is empty, or when the service refuses
 * the hook.
 */
export async function createWorkflow(
  platform: Platform,
  connection: Connection,
  { trigger, filter, action, values }: NewWorkflow,
): Promise<ServiceResponse> {
  const missing = action.fields.filter(({ name, required }) => required && !values[name]?.trim());
  if (missing.length > 0) {
    const errors = missing.map(({ name, label }) => [name, [`${label} is required.`]]);
    return unanswered('Fill in the required fields.', Object.fromEntries(errors));
  }
  const workflow: Workflow = {
    id: randomUUID(),
    connectionId: connection.id,
    trigger: trigger.key,
    filter: trigger.filter ? filter : '',
    action: action.key,
    values,
    subscriptionKey: null,
    stopped: null,
    runs: [],
  };
  // Before the subscription: its first event can arrive before the service's response.
  platform.state.workflows.set(workflow.id, workflow);
  const response = await turnOnWorkflow(platform, connection, workflow);
  if (!succeeded(response)) platform.state.workflows.delete(workflow.id);
  return response;
}

/** Turns a workflow on: subscribes its own hook. */
export async function turnOnWorkflow(
  platform: Platform,
  connection: Connection,
  workflow: Workflow,
): Promise<ServiceResponse> {
  const { id, trigger, filter } = workflow;
  if (workflow.subscriptionKey !== null) return unanswered('The workflow is already on.');
  const response = await subscribe(platform, connection, triggerOf(trigger), filter, id);
  workflow.stopped = null;
  for (const subscription of platform.state.subscriptions.values()) {
    if (subscription.workflowId === id && subscription.state === 'on') {
      workflow.subscriptionKey = subscription.key;
    }
  }
  return response;
}

/** Turns a workflow off: unsubscribes its hook. It stays on when the service refuses. */
export async function turnOffWorkflow(platform: Platform, workflow: Workflow): Promise<ServiceResponse> {
  const { connections, subscriptions } = platform.state;
  const connection = connections.get(workflow.connectionId);
  const subscription = subscriptions.get(workflow.subscriptionKey ?? '');
  if (!connection || !subscription) return unanswered('The workflow is already off.');
  const response = await unsubscribe(platform, connection, subscription);
  if (succeeded(response)) workflow.subscriptionKey = null;
  return response;
}

/** Shows a workflow as off after a response of 410, which made the service delete its hook. */
export function stopWorkflow({ state, settings, stream }: Platform, workflow: Workflow): void {
  const subscription = state.subscriptions.get(workflow.subscriptionKey ?? '');
  if (subscription) subscription.state = 'off';
  workflow.subscriptionKey = null;
  workflow.stopped = `Turned off: it responded with 410, so ${settings.serviceName} deleted its hook.`;
  stream.send('changed', {});
}
