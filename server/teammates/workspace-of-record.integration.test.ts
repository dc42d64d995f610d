import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

test('a teammate with a link into another of their workspaces learns which one', async ({ service }) => {
  const [open, other] = [await makeRecords('Open'), await makeRecords('Other')];
  const { session, conversations } = await reader(service.url, open.workspaceId, other.workspaceId);
  const where = { id: other.workspaceId, name: 'Other' };
  expect(await session.workspaceOf({ kind: 'conversation', id: other.conversationId })).toMatchObject(where);
  expect(await session.workspaceOf({ kind: 'contact', id: other.contactId })).toMatchObject(where);
  expect(await session.workspaceOf({ kind: 'conversation', id: open.conversationId })).toMatchObject({
    id: open.workspaceId,
  });
  expect(await conversations.get({ id: other.conversationId })).toBeNull();
});

test('the attacker learns nothing of records in workspaces of strangers, not even their existence', async ({
  service,
}) => {
  const [own, strangers] = [await makeRecords('Own'), await makeRecords('Strangers')];
  const { session } = await reader(service.url, own.workspaceId);
  for (const id of [strangers.conversationId, '01890000-0000-7000-8000-000000000000', 'x', '', '\0']) {
    expect(await session.workspaceOf({ kind: 'conversation', id })).toBeNull();
  }
  expect(await session.workspaceOf({ kind: 'contact', id: strangers.contactId })).toBeNull();
  expect(await session.workspaceOf({ kind: 'contact', id: own.conversationId })).toBeNull();
});

test('a former member learns nothing of the workspace they left', async ({ service }) => {
  const [open, left] = [await makeRecords('Open'), await makeRecords('Left')];
  const teammate = await makeUser();
  await addMember(open.workspaceId, teammate.id, 'agent');
  await addMember(left.workspaceId, teammate.id, 'agent');
  const headers = new Headers({ cookie: await signInAs(service.url, teammate) });
  await db().member.delete({
    where: { workspaceId_userId: { workspaceId: left.workspaceId, userId: teammate.id } },
  });
  const { session } = await screensFor(headers);
  expect(await session.workspaceOf({ kind: 'conversation', id: left.conversationId })).toBeNull();
});

/** Creates a conversation and its contact in a separate workspace. */
async function makeRecords(name: string) {
  const { id: workspaceId } = await makeWorkspace({ name });
  const teammate = await makeUser();
  await addMember(workspaceId, teammate.id, 'agent');
  const conversationId = await makeConversation({ workspaceId, teammate });
  const { contactId } = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
  return { workspaceId, conversationId, contactId: contactId ?? '' };
}

async function reader(url: string, ...workspaceIds: string[]) {
  const teammate = await makeUser();
  for (const id of workspaceIds) await addMember(id, teammate.id, 'viewer');
  const { session, conversations } = await screensFor(new Headers({ cookie: await signInAs(url, teammate) }));
  return { session, conversations };
}
