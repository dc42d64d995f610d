import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let ann: Teammate;
let annLee: Teammate;
let noor: Teammate;
beforeAll(async () => {
  [ann, annLee, noor] = await Promise.all([makeUser('Ann'), makeUser('Ann Lee'), makeUser('Noor')]);
});
beforeEach(async () => {
  connection = await makeConnection();
  await addMember(connection.workspaceId, ann.id, 'agent');
  await addMember(connection.workspaceId, annLee.id, 'admin');
  await addMember(connection.workspaceId, noor.id, 'viewer');
});

const names = (ids: string[]) =>
  ids.map((id) => [ann, annLee, noor, connection.teammate].find((one) => one.id === id)?.name ?? id).sort();

/** Adds a note to a conversation of `assignee` and returns the names of the notified teammates. */
async function notifiedBy(content: string, assignee: Teammate | null = ann) {
  const { workspaceId, teammate, accessToken } = connection;
  const unassigned = { assigneeId: null, assignedAt: null };
  const conversationId = assignee
    ? await makeConversation({ workspaceId, teammate: assignee })
    : await makeConversation(connection, unassigned);
  const api = apiClient(service.url, accessToken);
  const { status, body } = await api('POST', `/conversations/${conversationId}/notes`, { content });
  expect(status).toBe(201);
  const { id: noteId } = body as { id: string };
  const rows = await db().notification.findMany({ where: { workspaceId, conversationId } });
  for (const row of rows) {
    expect(row).toMatchObject({ data: { byName: teammate.name, noteId }, readAt: null, emailedAt: null });
  }
  const mentions = await db().noteMention.findMany({ where: { noteId } });
  const of = (kind: string) => names(rows.filter((row) => row.kind === kind).map(({ userId }) => userId));
  expect(names(mentions.map(({ userId }) => userId))).toEqual(of('mentioned'));
  return { noted: of('noted'), mentioned: of('mentioned'), count: rows.length };
}

const nobody = { noted: [], mentioned: [], count: 0 };

describe('the assignee', () => {
  test('is notified of a note', async () => {
    expect(await notifiedBy('Refund it.')).toEqual({ noted: ['Ann'], mentioned: [], count: 1 });
  });

  test('is notified once when mentioned too', async () => {
    expect(await notifiedBy('@Ann refund it, @ann!')).toEqual({ noted: [], mentioned: ['Ann'], count: 1 });
  });

  test('is notified together with the mentioned teammates', async () => {
    expect(await notifiedBy('@Noor refund it.')).toEqual({ noted: ['Ann'], mentioned: ['Noor'], count: 2 });
  });

  test('is not notified of their own note', async () => {
    expect(await notifiedBy('Refund it.', connection.teammate)).toEqual(nobody);
  });

  test('does not exist in an unassigned conversation, so no one is notified', async () => {
    expect(await notifiedBy('Refund it.', null)).toEqual(nobody);
  });
});

describe('a mentioned teammate is notified', () => {
  test('by name in any letter case, in any role', async () => {
    expect(await notifiedBy('@nOOR and @ANN LEE: look', null)).toMatchObject({
      mentioned: ['Ann Lee', 'Noor'],
    });
  });

  test('by email address in any letter case', async () => {
    expect(await notifiedBy(`ask @${noor.email.toUpperCase()}.`, null)).toMatchObject({
      mentioned: ['Noor'],
    });
  });

  test('by the longest name that matches', async () => {
    expect(await notifiedBy('@Ann Lee, look', null)).toMatchObject({ mentioned: ['Ann Lee'], count: 1 });
    expect(await notifiedBy('@Ann, Lee wrote', null)).toMatchObject({ mentioned: ['Ann'], count: 1 });
  });

  test('together with everyone else of the same name', async () => {
    const twin = await makeUser('Noor');
    await addMember(connection.workspaceId, twin.id, 'agent');
    expect(await notifiedBy('@Noor look', null)).toMatchObject({
      mentioned: [twin.id, 'Noor'].sort(),
      count: 2,
    });
  });
});

describe('no one is notified', () => {
  test('who mentions themselves, even as the assignee', async () => {
    const { name, email } = connection.teammate;
    expect(await notifiedBy(`@${name} @${email}`, null)).toEqual(nobody);
    expect(await notifiedBy(`@${name}`, connection.teammate)).toEqual(nobody);
  });

  test('whose name is in an email address', async () => {
    expect(await notifiedBy('the contact is x@noor.test and ann@ann.test', null)).toEqual(nobody);
  });

  test('who is not in this workspace', async () => {
    const stranger = await makeUser('Stranger');
    await makeConnection({ teammate: stranger });
    expect(await notifiedBy(`@Stranger @${stranger.email}`, null)).toEqual(nobody);
  });

  test('who has left this workspace', async () => {
    const { workspaceId } = connection;
    await db().member.delete({ where: { workspaceId_userId: { workspaceId, userId: noor.id } } });
    expect(await notifiedBy('@Noor look', null)).toEqual(nobody);
  });
});

test('a note of 10,000 @ is added', async () => {
  expect(await notifiedBy('@'.repeat(10_000))).toEqual({ noted: ['Ann'], mentioned: [], count: 1 });
});
