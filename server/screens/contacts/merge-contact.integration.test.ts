import { expect } from 'vitest';
import { fillPhoneKeys } from '#server/contacts/fill-phone-keys.ts';
import { db } from '#server/core/database/prisma.ts';
import { VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import { addContact, idsOf } from '#test/fixtures/contact-list.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
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

test('contacts whose phone numbers are the same once the country is chosen are offered, and not merged', async ({
  workspaceId,
  screensOf,
  contacts,
}) => {
  const add = (phone: string, columns = {}) => addContact(workspaceId, { phone, ...columns });
  const ids = [
    await add('0152 5763108'),
    await add('+49 152 5763108'),
    await add('00152'),
    await add('none'),
  ];
  await add('+49 152 5763108', { isTest: true });
  const others = await makeWorkspace();
  await addContact(others.id, { phone: '+49 152 5763108' });
  const offered = async () => {
    await fillPhoneKeys();
    return Promise.all(ids.map(async (id) => idsOf({ rows: (await contacts.get({ id }))?.samePhone ?? [] })));
  };
  expect(await offered()).toEqual([[], [], [], []]);
  const { workspaces } = await screensOf('owner');
  await workspaces.update({ country: 'DE' });
  const [first = '', second = ''] = ids;
  expect(await offered()).toEqual([[second], [first], [], []]);
  expect(await (await screensOf('viewer')).contacts.get({ id: first })).toMatchObject({ samePhone: [] });
  await workspaces.update({ country: 'FR' });
  expect(await offered()).toEqual([[], [], [], []]);
  await workspaces.update({ country: 'DE' });
  await offered();
  await contacts.merge({ id: second, intoId: first });
  expect((await offered())[0]).toEqual([]);
});

test('viewers can neither preview nor merge', async ({ screensOf, ada, twin }) => {
  const { contacts } = await screensOf('viewer');
  const pair = { id: twin.id, intoId: ada.id };
  expect(await errorsOf(contacts.mergePreview(pair))).toBe(VIEWERS_READ_ONLY);
  expect(await errorsOf(contacts.merge(pair))).toBe(VIEWERS_READ_ONLY);
  expect(await db().contactAlias.count({ where: { id: twin.id } })).toBe(0);
});
