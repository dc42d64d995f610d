import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { control, HOOKS_HOST, received } from '../../client/test/service.ts';
import nodes from '../dist/nodes/SharedInbox/SharedInboxTrigger.node.js';
import { eventsFor } from './events-for.mts';
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
    assert.deepEqual(eventsFor('oAuth2'), eventKeys().sort());
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

  const contactTrigger = (path: string) =>
    triggerOf(node, {
      tokens: context.tokens,
      parameters: { event: 'contact.created' },
      webhookUrl: `https://${HOOKS_HOST}${path}`,
    });

  test('activated again without being deactivated has one hook, not two', async () => {
    const path = '/webhook/again/webhook';
    const trigger = contactTrigger(path);
    await trigger.activate();
    const first = trigger.staticData.hookId;
    await trigger.activate('update');
    assert.notEqual(trigger.staticData.hookId, first);
    await happen('contact.created');
    const events = new Set<string>();
    const requests = await received(path);
    for (const { body } of requests) events.add(JSON.parse(body).id);
    assert.equal(requests.length, events.size);
    await trigger.deactivate();
  });

  test('after a restart of n8n receives the event that waited for it, with the same hook', async () => {
    // The receiver is unavailable for the first request to this path.
    const path = `/unavailable-once/${randomUUID()}/webhook`;
    const trigger = contactTrigger(path);
    await trigger.activate();
    const { hookId } = trigger.staticData;
    await happen('contact.created');
    const [refused] = await received(path);
    await trigger.activate('init');
    await trigger.activate('leadershipChange');
    assert.equal(trigger.staticData.hookId, hookId);
    const [, delivered] = await received(path, 2);
    assert.equal(delivered?.body, refused?.body);
    await trigger.deactivate();
  });

  test('after a restart under another address subscribes a new hook', async () => {
    const path = '/webhook/moved/webhook';
    const trigger = contactTrigger('/webhook/old/webhook');
    await trigger.activate();
    const { hookId } = trigger.staticData;
    await trigger.activate('init', `https://${HOOKS_HOST}${path}`);
    assert.notEqual(trigger.staticData.hookId, hookId);
    await happen('contact.created');
    assert.equal(JSON.parse((await received(path))[0]?.body ?? '{}').event, 'contact.created');
    await trigger.deactivate();
  });
});
