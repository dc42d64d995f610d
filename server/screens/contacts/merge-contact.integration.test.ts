import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

const test = screensTest
  .extend('contacts', async ({ screensOf }) => (await screensOf('agent')).contacts)
  .extend('ada', ({ workspaceId }) => makeContact(workspaceId, { email: 'ada@home.test' }))
  .extend('twin', ({ workspaceId }) =>
    makeContact(workspaceId, { lastName: null, email: 'ada@work.test', city: 'London', companyId: null }),
  );

test('the preview shows what moves and which values win', async ({ connection, contacts, ada, twin }) => {
  const { workspaceId, teammate } = connection;
  const conversationId = await makeConversation(connection, { contactId: twin.id });
  await db().note.create({
    data: { workspaceId, conversationId, content: 'VIP', authorKind: 'teammate', authorId: teammate.id },
  });
  await db().contactIdentity.create({
    data: { workspaceId, contactId: twin.id, channel: 'telegram', externalId: '7', name: 'Ada T.' },
  });
  expect(await contacts.mergePreview({ id: twin.id, intoId: ada.id })).toMatchObject({
    from: { id: twin.id },
    into: { id: ada.id },
    conversations: { count: 1, more: false },
    notes: { count: 1, more: false },
    identities: [{ channel: 'telegram', label: 'Ada T.' }],
    fields: [
      { field: 'name', value: 'Ada Lovelace', lost: 'Ada' },
      { field: 'email', value: 'ada@home.test', lost: 'ada@work.test' },
      { field: 'city', value: 'London', lost: null },
      { field: 'company', value: 'Engines', lost: null },
    ],
  });
});

test('after the merge, the old id opens the remaining contact with all conversations', async ({
  connection,
  screensOf,
  contacts,
  ada,
  twin,
}) => {
  const conversation = await makeConversation(connection, { contactId: twin.id });
  expect(await contacts.merge({ id: twin.id, intoId: ada.id })).toEqual({ id: ada.id });
  expect(await contacts.get({ id: twin.id })).toMatchObject({
    id: ada.id,
    conversations: { rows: [{ id: conversation }] },
  });
  expect((await contacts.conversations({ id: twin.id })).rows).toMatchObject([{ id: conversation }]);
  expect(await contacts.form({ id: twin.id })).toMatchObject({ contact: { id: ada.id } });
  expect(await contacts.update({ id: twin.id, changes: { city: 'Paris' } })).toMatchObject({ id: ada.id });
  const { session } = await screensOf('agent');
  expect(await session.workspaceOf({ kind: 'contact', id: twin.id })).toMatchObject({
    id: connection.workspaceId,
  });
});

test('viewers can neither preview nor merge', async ({ screensOf, ada, twin }) => {
  const { contacts } = await screensOf('viewer');
  const pair = { id: twin.id, intoId: ada.id };
  expect(await errorsOf(contacts.mergePreview(pair))).toBe(VIEWERS_READ_ONLY);
  expect(await errorsOf(contacts.merge(pair))).toBe(VIEWERS_READ_ONLY);
  expect(await db().contactAlias.count({ where: { id: twin.id } })).toBe(0);
});
