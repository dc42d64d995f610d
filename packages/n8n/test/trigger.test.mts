import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { INodePropertyOptions } from 'n8n-workflow';
import { control, HOOKS_HOST, received } from '../../client/test/service.ts';
import nodes from '../dist/nodes/SharedInbox/SharedInboxTrigger.node.js';
import { triggerOf } from './n8n.mts';
import { eventKeys } from './openapi.mts';
import { connected } from './service.mts';

const node = new nodes.SharedInboxTrigger();
const FILTERS: Record<string, Record<string, string>> = {
  'conversation.status_changed': { status: 'open' },
  'conversation.tagged': { tag: 'VIP' },
  'operator.command': { command: 'refund' },
};

describe('the trigger', () => {
  let context: Awaited<ReturnType<typeof connected>>;
  before(async () => {
    context = await connected();
  });
  const happen = (event: string) =>
    control('/happen', { workspaceId: context.workspace.id, event, command: 'refund' });

  test('offers every event of the API', () => {
    const [event] = node.description.properties;
    const values = ((event?.options ?? []) as INodePropertyOptions[]).map(({ value }) => String(value));
    assert.deepEqual(values.sort(), eventKeys().sort());
  });

  for (const event of eventKeys()) {
    test(`subscribes to ${event}, starts the workflow with it, and unsubscribes`, async () => {
      const path = `/webhook/${event}/webhook`;
      const webhookUrl = `https://${HOOKS_HOST}${path}`;
      const parameters = { event, ...FILTERS[event] };
      const trigger = triggerOf(node, { tokens: context.tokens, parameters, webhookUrl });
      await trigger.activate();
      assert.equal(typeof trigger.staticData.hookId, 'string');
      await happen(event);
      const body = JSON.parse((await received(path))[0]?.body ?? '{}');
      assert.equal(body.event, event);
      const { workflowData } = (await trigger.receive(body)) ?? {};
      assert.deepEqual(workflowData, [[{ json: body }]]);
      await trigger.deactivate();
      assert.equal('hookId' in trigger.staticData, false);
    });
  }

  test('activated again after a crash of n8n has one hook, not two', async () => {
    const path = '/webhook/again/webhook';
    const trigger = triggerOf(node, {
      tokens: context.tokens,
      parameters: { event: 'contact.created' },
      webhookUrl: `https://${HOOKS_HOST}${path}`,
    });
    await trigger.activate();
    const first = trigger.staticData.hookId;
    await trigger.activate();
    assert.notEqual(trigger.staticData.hookId, first);
    await happen('contact.created');
    const events = new Set<string>();
    const requests = await received(path);
    for (const { body } of requests) events.add(JSON.parse(body).id);
    assert.equal(requests.length, events.size);
    await trigger.deactivate();
  });
});
