import { describe, expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeUser } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

const test = conversationTest.extend('team', async ({ api, connection }) => ({
  ...(await makeTeam(connection)),
  api,
  connection,
}));

describe('the assignee', () => {
  test('is notified of a note', async ({ team }) => {
    expect(await notifiedBy(team, 'Refund it.')).toEqual({
      noted: ['Ann'],
      mentioned: [],
      count: 1,
    });
  });

  test('is notified once when mentioned too', async ({ team }) => {
    expect(await notifiedBy(team, '@Ann refund it, @ann!')).toEqual({
      noted: [],
      mentioned: ['Ann'],
      count: 1,
    });
  });

  test('is notified together with the mentioned teammates', async ({ team }) => {
    expect(await notifiedBy(team, '@Noor refund it.')).toEqual({
      noted: ['Ann'],
      mentioned: ['Noor'],
      count: 2,
    });
  });

  test('is not notified of their own note', async ({ connection, team }) => {
    expect(await notifiedBy(team, 'Refund it.', connection.teammate)).toEqual(nobody);
  });

  test('does not exist in an unassigned conversation, so no one is notified', async ({ team }) => {
    expect(await notifiedBy(team, 'Refund it.', null)).toEqual(nobody);
  });
});

describe('a mentioned teammate is notified', () => {
  test('by name in any letter case, in any role', async ({ team }) => {
    expect(await notifiedBy(team, '@nOOR and @ANN LEE: look', null)).toMatchObject({
      mentioned: ['Ann Lee', 'Noor'],
    });
  });
});

describe('no one is notified', () => {
  test('who mentions themselves, even as the assignee', async ({ connection, team }) => {
    const { name, email } = connection.teammate;
    expect(await notifiedBy(team, `@${name} @${email}`, null)).toEqual(nobody);
    expect(await notifiedBy(team, `@${name}`, connection.teammate)).toEqual(nobody);
  });

  test('who is not in this workspace', async ({ team }) => {
    const stranger = await makeUser('Stranger');
    await makeConnection({ teammate: stranger });
    expect(await notifiedBy(team, `@Stranger @${stranger.email}`, null)).toEqual(nobody);
  });

  test('who has left this workspace', async ({ connection, team }) => {
    const { workspaceId } = connection;
    await db().member.delete({ where: { workspaceId_userId: { workspaceId, userId: team.noor.id } } });
    expect(await notifiedBy(team, '@Noor look', null)).toEqual(nobody);
  });
});

type Team = Awaited<ReturnType<typeof makeTeam>> & { api: Api; connection: Connected };

/** Adds a teammate of each role below owner. */
async function makeTeam({ workspaceId }: Connected) {
  return {
    ann: await addTeammate(workspaceId, 'agent', 'Ann'),
    annLee: await addTeammate(workspaceId, 'admin', 'Ann Lee'),
    noor: await addTeammate(workspaceId, 'viewer', 'Noor'),
  };
}

/** Adds a note to a conversation of `assignee` and returns the names of the notified teammates. */
async function notifiedBy(team: Team, content: string, assignee: Teammate | null = team.ann) {
  const { api, connection, ann, annLee, noor } = team;
  const { workspaceId, teammate } = connection;
  const unassigned = { assigneeId: null, assignedAt: null };
  const conversationId = assignee
    ? await makeConversation({ workspaceId, teammate: assignee })
    : await makeConversation(connection, unassigned);
  const names = (rows: { userId: string }[]) =>
    rows
      .map(({ userId }) => [ann, annLee, noor, teammate].find(({ id }) => id === userId)?.name ?? userId)
      .sort();
  const { status, body } = await api('POST', `/conversations/${conversationId}/notes`, { content });
  expect(status).toBe(201);
  const { id: noteId } = body as { id: string };
  const rows = await db().notification.findMany({ where: { workspaceId, conversationId } });
  for (const row of rows) {
    expect(row).toMatchObject({ data: { byName: teammate.name, noteId }, readAt: null, emailedAt: null });
  }
  const mentions = await db().noteMention.findMany({ where: { noteId } });
  const of = (kind: string) => names(rows.filter((row) => row.kind === kind));
  expect(names(mentions)).toEqual(of('mentioned'));
  return { noted: of('noted'), mentioned: of('mentioned'), count: rows.length };
}

const nobody = { noted: [], mentioned: [], count: 0 };
