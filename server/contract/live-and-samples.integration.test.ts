import { beforeAll, describe, expect, test } from 'vitest';
import { EVENT_KEYS, type EventKey } from '#server/contract/event-catalogue.ts';
import { exampleDelivery, exampleSample } from '#server/contract/event-examples.ts';
import type { EventBody } from '#server/contract/record-events.ts';
import { db } from '#server/core/database/prisma.ts';
import { runCommand } from '#server/inbox/commands/run-command.ts';
import { addTags } from '#server/inbox/conversations/tags.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { rateConversation } from '#server/inbox/ratings/rate-conversation.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { keyPaths } from '#test/fixtures/key-paths.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
/** Recorded events, and their samples loaded immediately afterwards. */
const live: Partial<Record<EventKey, EventBody>> = {};
const sampled: Partial<Record<EventKey, EventBody | undefined>> = {};

// All events concern one contact of a company, in conversations whose optional fields are all set.
beforeAll(async () => {
  const connection = await makeConnection();
  const { workspaceId, teammate, accessToken } = connection;
  const samples = sampleClient(service.url, accessToken);
  const ben = await makeUser('Ben');
  await addMember(workspaceId, ben.id, 'agent');
  await makeHook(connection, { event: 'operator.command' });
  await db().company.create({
    data: { workspaceId, name: 'Engines', domains: { create: { domain: 'engines.example' } } },
  });
  const actor = { kind: 'teammate' as const, teammate };
  const at = { workspaceId, actor };

  const happens = async (work: () => Promise<unknown>) => {
    const before = (await recordedEvents(workspaceId)).length;
    await work();
    for (const event of (await recordedEvents(workspaceId)).slice(before)) {
      live[event.event] ??= event;
      sampled[event.event] ??= (await samples(event.event))[0];
    }
  };
  const fields = {
    name: 'Ada Lovelace',
    email: 'ada@engines.example',
    phone: '+44 20',
    city: 'London',
    language: 'en',
  };
  await happens(() => receiveMessage(...incoming(workspaceId, { contact: { fields }, subject: 'Order' })));
  const id = await makeConversation(connection);
  const conversationId = id;
  await happens(() => updateConversation({ ...at, id, changes: { assigneeId: ben.id } }));
  await happens(() => updateConversation({ ...at, id, changes: { status: 'solved' } }));
  await happens(() => addTags({ ...at, id, tags: ['VIP'] }));
  await happens(() => rateConversation({ workspaceId, conversationId, score: 5, comment: 'Quick' }));
  await happens(() =>
    runCommand({ workspaceId, conversationId, operatorId: ben.id, command: 'refund', arguments: 'all' }),
  );
});

/** Previous values are null in samples (docs/spec.md §4.2), so their keys are not compared. */
const isBefore = (path: string) => path.startsWith('previous_');

describe.each(EVENT_KEYS)('%s', (key) => {
  test('has the same keys at every level as an event and as a sample', () => {
    expect(live[key]).toMatchObject({ event: key });
    expect(sampled[key]).toMatchObject({ event: key });
    const keys = keyPaths(live[key], isBefore);
    expect(keyPaths(sampled[key], isBefore)).toEqual(keys);
    expect(keys).toEqual(
      expect.arrayContaining(['event', 'id', 'occurred_at', ...Object.keys(exampleDelivery(key))]),
    );
    expect(Object.keys(sampled[key] ?? {})).toEqual(Object.keys(live[key] ?? {}));
  });

  test('has the values of its sample, except for id, previous values and later changes', () => {
    const shared = Object.entries(live[key] ?? {}).filter(([name]) => name !== 'id' && !isBefore(name));
    expect(sampled[key]).toMatchObject(Object.fromEntries(shared));
  });

  test('has the same keys in the examples of the API document', () => {
    const keys = Object.keys(live[key] ?? {});
    expect(Object.keys(exampleDelivery(key))).toEqual(keys);
    expect(Object.keys(exampleSample(key))).toEqual(keys);
  });
});
