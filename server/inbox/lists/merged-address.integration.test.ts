import { expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { gathered } from '#server/inbox/lists/inbox-sql.ts';
import { searchConversations } from '#server/inbox/lists/search-conversations.ts';
import { listContacts } from '#server/screens/contacts/list-contacts.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test } from '#test/fixtures/service-test.ts';

test('the address of a merged contact finds the contact that remains and their conversations, and no one else', async ({
  connection: { workspaceId, teammate },
}) => {
  const write = (email: string) =>
    receiveMessage(...incoming(workspaceId, { contact: { fields: { name: 'Ada', email } } }));
  const work = await write('ada@work.test');
  const home = await write('adele@home.test');
  await write('adele@other.test');
  const [id = '', intoId = ''] = [home.contactId ?? '', work.contactId ?? ''];
  await mergeContacts({ workspaceId, id, intoId, actor: { kind: 'teammate', teammate } });

  const search = 'Adele@HOME.test ';
  const filter = { workspaceId, search, language: 'english' } as const;
  const ids = [home.conversationId, work.conversationId];
  const { conversations } = await searchConversations(sql(), { ...filter, after: null, limit: 10 });
  expect(conversations.map((each) => each.id)).toEqual(ids);
  const found = await sql().$queryRaw<
    { id: string }[]
  >`${gathered(filter)} select id from found order by id desc`;
  expect(found.map((each) => each.id)).toEqual(ids);
  const { rows } = await listContacts(db(), { workspaceId, search });
  expect(rows).toMatchObject([{ id: intoId, email: 'ada@work.test' }]);
});
