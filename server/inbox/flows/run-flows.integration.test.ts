import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { timelineOf } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

const test = serviceTest.extend('agent', ({ connection: { workspaceId } }) =>
  addTeammate(workspaceId, 'agent', 'Aggie Agent'),
);

describe('flows', () => {
  test('tag, assign and change a new conversation after its message, and emit events in that order', async ({
    connection,
    agent,
  }) => {
    const team = await db().team.create({ data: { workspaceId: connection.workspaceId, name: 'Money' } });
    const actions = { tags: ['Refund', 'money'], assigneeId: agent.id, teamId: team.id, status: 'pending' };
    const { conversationId } = await withFlows(
      connection,
      [{ condition: { words: ['refund'] }, actions }],
      () => write(connection),
    );
    expect((await timelineOf(conversationId)).map(({ kind, actorKind }) => `${actorKind} ${kind}`)).toEqual([
      'contact created',
      'flow tagged',
      'flow team_set',
      'flow assigned',
      'flow status_changed',
    ]);
    const events = (await recordedEvents(connection.workspaceId)).filter(
      (event) => 'conversation' in event && event.conversation.id === conversationId,
    );
    expect(events.map(({ event }) => event)).toEqual([
      'conversation.created',
      'message.received',
      'conversation.tagged',
      'conversation.assigned',
      'conversation.status_changed',
    ]);
    expect(events.at(-1)).toMatchObject({
      previous_status: 'open',
      conversation: {
        tags: ['Refund', 'money'],
        status: 'pending',
        assignee: { id: agent.id },
        team: { id: team.id },
      },
    });
    expect((await notificationsOf(agent.id)).map(({ kind }) => kind)).toEqual(['assigned']);
  });

  test('run in order, each on the result of the previous flow', async ({ connection, agent }) => {
    const { teammate } = connection;
    const { conversationId } = await withFlows(
      connection,
      [
        { actions: { tags: ['a'], assigneeId: agent.id, status: 'pending' } },
        { actions: { tags: ['A', 'b'], assigneeId: teammate.id, status: 'solved' } },
        { enabled: false, actions: { tags: ['never'] } },
        { condition: { channels: ['email'] }, actions: { tags: ['never'] } },
      ],
      () => write(connection),
    );
    expect(await conversationOf(conversationId)).toMatchObject({ status: 'solved', assigneeId: teammate.id });
    const entries = (await timelineOf(conversationId)).slice(1).map(({ kind, data }) => ({ kind, data }));
    expect(entries).toMatchObject([
      { kind: 'tagged', data: { tags: ['a'] } },
      { kind: 'assigned', data: { assigneeName: 'Aggie Agent' } },
      { kind: 'status_changed', data: { from: 'open', to: 'pending' } },
      { kind: 'tagged', data: { tags: ['b'] } },
      { kind: 'assigned' },
      { kind: 'status_changed', data: { from: 'pending', to: 'solved' } },
    ]);
  });

  test('match the domain of the contact’s address, and ignore later messages', async ({ connection }) => {
    const contact = { fields: { name: 'Bob', email: `bob.${Date.now()}@big.example` } };
    const flows = [{ condition: { emailDomain: 'big.example' }, actions: { tags: ['big'] } }];
    await withFlows(connection, flows, async () => {
      const { conversationId } = await write(connection, { contact });
      const other = await write(connection);
      await db().conversationTag.deleteMany({ where: { conversationId } });
      await write(connection, { conversationId });
      for (const id of [conversationId, other.conversationId]) {
        expect(await db().conversationTag.count({ where: { conversationId: id } })).toBe(0);
      }
      expect(await timelineOf(conversationId)).toMatchObject([{ kind: 'created' }, { kind: 'tagged' }]);
    });
  });

  test('skip an assignee who left or is a viewer, and a team that does not exist', async ({ connection }) => {
    const { workspaceId } = connection;
    const viewer = await addTeammate(workspaceId, 'viewer');
    const stranger = (await makeConnection()).teammate;
    const actions = { tags: ['x'], teamId: workspaceId };
    const { conversationId } = await withFlows(
      connection,
      [viewer, stranger].map(({ id: assigneeId }) => ({ actions: { ...actions, assigneeId } })),
      () => write(connection),
    );
    expect(await conversationOf(conversationId)).toMatchObject({ assigneeId: null, teamId: null });
    expect((await timelineOf(conversationId)).map(({ kind }) => kind)).toEqual(['created', 'tagged']);
  });

  test('never make a message fail: an invalid or failing flow is skipped completely', async ({
    connection,
  }) => {
    await pool().query(`
      create function refuse_tag() returns trigger language plpgsql as
        $$ begin if new.key = 'fault' then raise 'A fault for a test'; end if; return new; end $$;
      create trigger refuse_tag before insert on tagging_tags for each row execute function refuse_tag()`);
    const { conversationId } = await withFlows(
      connection,
      [
        { actions: { tags: 'broken' } },
        { condition: { channels: 'broken' }, actions: {} },
        { actions: { tags: ['fault'], status: 'solved' } },
        { actions: { tags: ['after'] } },
      ],
      () => write(connection),
    );
    expect((await conversationOf(conversationId)).status).toBe('open');
    const tags = await db().conversationTag.findMany({ where: { conversationId } });
    expect(tags.map(({ name }) => name)).toEqual(['after']);
    expect(await db().message.count({ where: { conversationId } })).toBe(1);
  });

  test('ignore tests of the AI agent and the conversations of other workspaces', async ({ connection }) => {
    const other = await makeConnection();
    await withFlows(connection, [{ actions: { tags: ['x'] } }], async () => {
      const test = await write(connection, { isTest: true });
      const foreign = await receiveMessage(...incoming(other.workspaceId));
      for (const { conversationId } of [test, foreign]) {
        expect(await db().conversationTag.count({ where: { conversationId } })).toBe(0);
      }
    });
  });
});

const conversationOf = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });
const notificationsOf = (userId: string) => db().notification.findMany({ where: { userId } });

async function withFlows<T>(
  { workspaceId }: { workspaceId: string },
  flows: { condition?: object; actions: object; enabled?: boolean }[],
  work: () => Promise<T>,
): Promise<T> {
  for (const { condition, actions, enabled = true } of flows) {
    await db().flow.create({
      data: {
        workspaceId,
        name: 'Flow',
        enabled,
        condition: { channels: [], words: [], emailDomain: null, ...condition },
        actions: { tags: [], assigneeId: null, teamId: null, status: null, ...actions },
      },
    });
  }
  try {
    return await work();
  } finally {
    await db().flow.deleteMany({ where: { workspaceId } });
  }
}

const write = ({ workspaceId }: { workspaceId: string }, fields: Parameters<typeof incoming>[1] = {}) =>
  receiveMessage(...incoming(workspaceId, { content: 'A refund, please', ...fields }));
