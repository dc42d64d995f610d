import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { control, HOOKS_HOST, received } from '../../client/test/service.ts';
import App from '../dist/index.js';
import { EVENT_TRIGGERS } from '../dist/triggers/event-triggers.js';
import { isObject, STEPS } from './definition.ts';
import { connected, run } from './service.ts';

type Event = Record<string, unknown> & { id: string };
type Hook = { id: string; event: string; status: string | null; tag: string | null; command: string | null };

const FILTERS: Record<string, Record<string, string>> = {
  conversation_status_changed: { status: 'open' },
  conversation_tagged: { tag: 'VIP' },
  workflow_command: { command: '/Refund' },
};

describe('each trigger', () => {
  let context: Awaited<ReturnType<typeof connected>>;
  before(async () => {
    context = await connected();
  });

  for (const { key, event } of EVENT_TRIGGERS) {
    test(`${key} subscribes, receives its event, loads samples and unsubscribes`, async () => {
      const { authData, workspace } = context;
      const operation = operationOf(key);
      const inputData = FILTERS[key] ?? {};
      const path = `/hooks/standard/${key}/`;
      const targetUrl = `https://${HOOKS_HOST}${path}`;
      const hook = await run<Hook>(operation.performSubscribe, { authData, inputData, targetUrl });
      assert.equal(hook.event, event);
      assert.deepEqual(
        [hook.status, hook.tag, hook.command].filter((value) => value !== null),
        Object.values(inputData).map((value) => (value === '/Refund' ? 'refund' : value)),
      );

      await control('/happen', { workspaceId: workspace.id, event, command: 'refund' });
      const [delivered] = await received(path);
      const cleanedRequest = JSON.parse(delivered?.body ?? '{}') as Event;
      const [live, ...others] = await run<Event[]>(operation.perform, {
        authData,
        inputData,
        cleanedRequest,
      });
      assert.deepEqual([live, others], [cleanedRequest, []]);

      const samples = await run<Event[]>(operation.performList, { authData, inputData });
      assert.ok(samples.length > 0, 'there is a sample');
      for (const sample of [...samples, STEPS.find((step) => step.key === key)?.operation.sample])
        assert.deepEqual(missingIn(sample ?? {}, cleanedRequest), []);
      assert.equal(new Set(samples.map(({ id }) => id)).size, samples.length);

      const response = await run(operation.performUnsubscribe, { authData, subscribeData: { id: hook.id } });
      assert.deepEqual(response, { id: hook.id, deleted: true });
    });
  }

  test('shows the message for an invalid filter', async () => {
    const subscribing = run(operationOf('workflow_command').performSubscribe, {
      authData: context.authData,
      inputData: { command: 'not a command' },
      targetUrl: `https://${HOOKS_HOST}/hooks/standard/1/`,
    });
    await assert.rejects(subscribing, /command/i);
  });
});

describe('a dropdown', () => {
  test('lists the records of the workspace', async () => {
    const { authData, workspace, client } = await connected();
    const conversationId = (
      await control<{ id: string }>('/happen', {
        workspaceId: workspace.id,
        event: 'conversation.created',
      })
    ).id;
    const { id: contactId } = await control<{ id: string }>('/happen', {
      workspaceId: workspace.id,
      event: 'contact.created',
    });
    const list = (key: string) => run<{ id: string; name: string }[]>(operationOf(key).perform, { authData });
    const { data: teams = [] } = await client.GET('/teams');
    assert.deepEqual(await list('teammates'), [
      { id: 'unassigned', name: 'Unassigned' },
      { id: workspace.owner.id, name: `${workspace.owner.name} (${workspace.owner.email})` },
    ]);
    assert.deepEqual(await list('teams'), [{ id: 'no_team', name: 'No Team' }, ...teams]);
    assert.deepEqual(await list('recent_conversations'), [
      { id: conversationId, name: 'Order (Ada Lovelace)' },
    ]);
    assert.deepEqual((await list('recent_contacts'))[0], { id: contactId, name: 'Ada Lovelace' });
  });

  test('lists more conversations and contacts than an event has samples, without duplicates', async () => {
    const { authData, workspace } = await connected();
    const created: string[] = [];
    for (const event of ['conversation.tagged', 'message.received', 'conversation.created']) {
      for (let time = 0; time < 3; time += 1)
        created.push((await control<{ id: string }>('/happen', { workspaceId: workspace.id, event })).id);
    }
    const list = async (key: string) => {
      const choices = await run<{ id: string }[]>(operationOf(key).perform, { authData });
      return choices.map(({ id }) => id);
    };
    assert.deepEqual((await list('recent_conversations')).sort(), created.sort());
    const contacts = await list('recent_contacts');
    assert.ok(contacts.length > 3, `${contacts.length} contacts`);
    assert.equal(new Set(contacts).size, contacts.length);
  });
});

/** Returns the keys of a record that the live one lacks. Does not compare below a null value. */
function missingIn(record: Record<string, unknown>, live: Record<string, unknown>): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    if (!(key in live)) return [key];
    const other = live[key];
    if (value === null || other === null) return [];
    if (isObject(value) !== isObject(other)) return [key];
    return isObject(value) && isObject(other) ? missingIn(value, other).map((each) => `${key}__${each}`) : [];
  });
}

function operationOf(key: string) {
  return (App.triggers as Record<string, { operation: Record<string, unknown> }>)[key]?.operation ?? {};
}
