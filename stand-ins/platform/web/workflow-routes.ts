import { z } from 'zod';
import { missing, ok, type Reply } from '../../http/reply.ts';
import { STEPS } from '../catalogue/steps.ts';
import { findTrigger } from '../catalogue/triggers.ts';
import type { Platform } from '../platform.ts';
import { succeeded } from '../service/service-response.ts';
import type { Connection, Workflow } from '../state.ts';
import { createWorkflow, turnOffWorkflow, turnOnWorkflow } from '../workflows/turn-workflow.ts';
import { type Call, type Route, unclear, withConnection } from './route.ts';

const newWorkflow = z.object({
  trigger: z.string(),
  filter: z.string().default(''),
  action: z.string(),
  values: z.record(z.string(), z.string()),
});
const switched = z.object({ on: z.boolean() });

const PATH = '/api/connections/:connection/workflows';

/** Creates, switches and deletes workflows. */
export const WORKFLOW_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: PATH,
    handle: withConnection(async ({ platform, body }, connection) => {
      const parsed = newWorkflow.safeParse(body);
      const trigger = findTrigger(parsed.data?.trigger ?? '');
      const action = STEPS.find(({ key, kind }) => key === parsed.data?.action && kind === 'action');
      if (!parsed.success || !trigger || !action) return unclear;
      const { values, filter } = parsed.data;
      return ok(
        await createWorkflow(platform, connection, { trigger, filter: filter.trim(), action, values }),
      );
    }),
  },
  {
    method: 'PATCH',
    path: `${PATH}/:workflow`,
    handle: withWorkflow(async ({ platform, body }, connection, workflow) => {
      const parsed = switched.safeParse(body);
      if (!parsed.success) return unclear;
      return ok(
        parsed.data.on
          ? await turnOnWorkflow(platform, connection, workflow)
          : await turnOffWorkflow(platform, workflow),
      );
    }),
  },
  {
    method: 'DELETE',
    path: `${PATH}/:workflow`,
    handle: withWorkflow(async ({ platform }, _connection, workflow) => deleteWorkflow(platform, workflow)),
  },
];

/** Turns a workflow off if it is on, and deletes it. */
async function deleteWorkflow(platform: Platform, workflow: Workflow): Promise<Reply> {
  const response = workflow.subscriptionKey === null ? null : await turnOffWorkflow(platform, workflow);
  if (response && !succeeded(response)) return ok(response);
  platform.state.workflows.delete(workflow.id);
  return ok({ status: 200, status_text: 'OK', body: null, duration_ms: 0 });
}

/** Wraps a handler that needs an existing workflow of the connection. */
function withWorkflow(
  handle: (call: Call, connection: Connection, workflow: Workflow) => Promise<Reply>,
): Route['handle'] {
  return withConnection((call, connection) => {
    const workflow = call.platform.state.workflows.get(call.params.workflow ?? '');
    return workflow?.connectionId === connection.id
      ? handle(call, connection, workflow)
      : missing('workflow');
  });
}
