import { randomUUID } from 'node:crypto';
import { log } from '../../http/log.ts';
import { STEPS } from '../catalogue/steps.ts';
import type { Platform } from '../platform.ts';
import { runStep } from '../service/run-step.ts';
import type { Workflow, WorkflowRun } from '../state.ts';
import { fillPlaceholders } from './event-fields.ts';
import { turnOffWorkflow } from './turn-workflow.ts';

/** A workflow whose action causes its own trigger would run forever. */
const RUNS_PER_MINUTE_MAX = 30;

/** Runs a workflow's action with the values of an event, as the teammate of its connection. */
export async function runWorkflow(platform: Platform, workflow: Workflow, event: unknown): Promise<void> {
  const connection = platform.state.connections.get(workflow.connectionId);
  const action = STEPS.find(({ key }) => key === workflow.action);
  if (!connection || !action) return;
  const values = Object.fromEntries(
    Object.entries(workflow.values).map(([name, text]) => [name, fillPlaceholders(text, event)]),
  );
  const run: WorkflowRun = { id: randomUUID(), startedAt: new Date(), values, response: null };
  workflow.runs = [run, ...workflow.runs].slice(0, RUNS_PER_MINUTE_MAX);
  platform.stream.send('changed', {});
  run.response = await runStep(platform, connection, action, values);
  log('workflow.ran', { workflow: workflow.id, action: action.key, status: run.response.status });
  const oldest = workflow.runs[RUNS_PER_MINUTE_MAX - 1];
  if (oldest && Date.now() - oldest.startedAt.getTime() < 60_000 && workflow.subscriptionKey) {
    await turnOffWorkflow(platform, workflow);
    workflow.stopped = `Turned off after ${RUNS_PER_MINUTE_MAX} runs in a minute. Its action may start it again.`;
  }
  platform.stream.send('changed', {});
}
