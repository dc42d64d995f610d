import { z } from 'zod';
import { log } from '../../http/log.ts';
import { missing, ok } from '../../http/reply.ts';
import type { ChoiceSource } from '../catalogue/step-types.ts';
import { STEPS } from '../catalogue/steps.ts';
import { findTrigger, type Trigger } from '../catalogue/triggers.ts';
import { findSubscription, subscribe, unsubscribe } from '../hooks/subscribe.ts';
import { revokeConnection } from '../oauth/revoke-connection.ts';
import type { Platform } from '../platform.ts';
import { callService } from '../service/call-service.ts';
import { runStep } from '../service/run-step.ts';
import { messageOf, type ServiceResponse, succeeded } from '../service/service-response.ts';
import { testConnection } from '../service/test-connection.ts';
import { addNotice, type Connection, RESPONSE_MODES } from '../state.ts';
import { describeState } from './describe-state.ts';
import { type Route, unclear, withConnection } from './route.ts';
import { WORKFLOW_ROUTES } from './workflow-routes.ts';

const onBody = z.object({ event: z.string(), filter: z.string().default('') });
const modeBody = z.object({ answer_mode: z.enum(RESPONSE_MODES) });
const stepBody = z.object({ values: z.record(z.string(), z.string()) });
const resetBody = z.object({ revoke: z.boolean().default(false) });

/** JSON routes for the page's script and for tests. */
export const API_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/state', handle: ({ platform }) => ok(describeState(platform.state)) },
  {
    method: 'POST',
    path: '/api/reset',
    handle: async ({ platform, body }) => {
      const parsed = resetBody.safeParse(body ?? {});
      return parsed.success ? ok(await resetState(platform, parsed.data.revoke)) : unclear;
    },
  },
  {
    method: 'POST',
    path: '/api/connections/:connection/test',
    handle: withConnection(async ({ platform }, connection) =>
      ok(await testConnection(platform, connection)),
    ),
  },
  {
    method: 'POST',
    path: '/api/connections/:connection/disconnect',
    handle: withConnection(async ({ platform }, connection) => {
      const outcome = await revokeConnection(platform, connection);
      if (!outcome.ok) return ok(outcome);
      const text = `${connection.label} can no longer be used here.`;
      return ok({
        ok: true,
        notice: addNotice(platform.state, { tone: 'good', title: 'Disconnected', text }),
      });
    }),
  },
  {
    method: 'POST',
    path: '/api/connections/:connection/spoil-token',
    handle: withConnection((_call, connection) => {
      connection.accessToken = 'spoiled';
      return ok({ ok: true });
    }),
  },
  {
    method: 'POST',
    path: '/api/connections/:connection/subscriptions',
    handle: withConnection(async ({ platform, body }, connection) => {
      const parsed = onBody.safeParse(body);
      const trigger = findTrigger(parsed.data?.event ?? '');
      if (!parsed.success || !trigger) return unclear;
      if (findSubscription(platform.state, connection.id, trigger.key)) {
        return { status: 409, body: { message: `${trigger.name} is already on.` } };
      }
      return ok(await subscribe(platform, connection, trigger, parsed.data.filter.trim()));
    }),
  },
  {
    method: 'DELETE',
    path: '/api/connections/:connection/subscriptions/:event',
    handle: withConnection(async ({ platform, params }, connection) => {
      const trigger = findTrigger(params.event ?? '');
      const subscription = trigger && findSubscription(platform.state, connection.id, trigger.key);
      if (subscription?.state !== 'on') return missing('subscription');
      return ok(await unsubscribe(platform, connection, subscription));
    }),
  },
  {
    method: 'PATCH',
    path: '/api/subscriptions/:key',
    handle: ({ platform, params, body }) => {
      const subscription = platform.state.subscriptions.get(params.key ?? '');
      const parsed = modeBody.safeParse(body);
      if (!subscription) return missing('subscription');
      if (!parsed.success) return unclear;
      subscription.responseMode = parsed.data.answer_mode;
      return ok({ answer_mode: subscription.responseMode });
    },
  },
  {
    method: 'GET',
    path: '/api/connections/:connection/samples/:event',
    handle: withConnection(async ({ platform, params, query }, connection) => {
      const trigger = findTrigger(params.event ?? '');
      if (!trigger) return missing('trigger');
      return ok(await loadSamples(platform, connection, trigger, query.get('filter')?.trim() ?? ''));
    }),
  },
  {
    method: 'GET',
    path: '/api/connections/:connection/choices/:source',
    handle: withConnection(async ({ platform, params }, connection) => {
      const { source } = params;
      if (source !== 'users' && source !== 'teams') return missing('list of choices');
      return ok(await loadChoices(platform, connection, source));
    }),
  },
  {
    method: 'POST',
    path: '/api/connections/:connection/steps/:step',
    handle: withConnection(async ({ platform, params, body }, connection) => {
      const step = STEPS.find(({ key }) => key === params.step);
      const parsed = stepBody.safeParse(body);
      if (!step) return missing('step');
      return parsed.success ? ok(await runStep(platform, connection, step, parsed.data.values)) : unclear;
    }),
  },
  ...WORKFLOW_ROUTES,
];

/**
 * Deletes all state and returns counts. With `revoke`, first revokes every connection at the service; `unrevoked`
 * counts the refused revocations.
 */
async function resetState(platform: Platform, revoke: boolean) {
  const { state, stream } = platform;
  let unrevoked = 0;
  const forgotten = state.connections.size;
  if (revoke) {
    for (const connection of [...state.connections.values()]) {
      if (!(await revokeConnection(platform, connection)).ok) unrevoked += 1;
    }
  }
  state.connections.clear();
  state.subscriptions.clear();
  state.workflows.clear();
  state.notices.clear();
  state.pendingConnects.clear();
  state.events.length = 0;
  stream.send('reset', {});
  log('platform.reset', { connections: forgotten, unrevoked });
  return { connections: forgotten, unrevoked };
}

type Choices = { choices: { value: string; label: string }[] } | { problem: string };

const listed = z.array(z.object({ id: z.string(), name: z.string(), role: z.string().optional() }));

/** Loads the options of a dropdown: teammates from `/users` or teams from `/teams`, in the service's order. */
async function loadChoices(
  platform: Platform,
  connection: Connection,
  source: ChoiceSource,
): Promise<Choices> {
  const response = await callService(platform, connection, { method: 'GET', path: `/${source}` });
  if (!succeeded(response)) return { problem: messageOf(response) };
  const items = listed.safeParse(response.body);
  if (!items.success) return { problem: 'The response is not a list of choices.' };
  return {
    choices: items.data.map(({ id, name, role }) => ({ value: id, label: role ? `${name}, ${role}` : name })),
  };
}

/** Loads up to three recent events of a trigger. */
function loadSamples(
  platform: Platform,
  connection: Connection,
  trigger: Trigger,
  filter: string,
): Promise<ServiceResponse> {
  return callService(platform, connection, {
    method: 'GET',
    path: `/triggers/${trigger.key}/samples`,
    query: trigger.filter && filter ? { [trigger.filter.name]: filter } : {},
  });
}
