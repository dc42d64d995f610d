import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { addContact, allRows, idsOf, makeCompany } from '#test/fixtures/contact-list.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

const test = screensTest.extend('contacts', async ({ screensOf }) => (await screensOf('viewer')).contacts);

describe('a contact', () => {
  test('shows its fields and company with the number of other contacts, read-only for a viewer', async ({
    workspaceId,
    contacts,
  }) => {
    const companyId = await makeCompany(workspaceId, 'Engines');
    const id = await addContact(workspaceId, {
      email: 'ada@engines.test',
      city: 'London',
      language: 'en',
      companyId,
    });
    await addContact(workspaceId, { companyId });
    await addContact(workspaceId, { companyId, isTest: true });
    expect(await contacts.get({ id })).toMatchObject({
      name: 'Ada',
      email: 'ada@engines.test',
      phone: null,
      city: 'London',
      language: 'en',
      company: { id: companyId, name: 'Engines' },
      colleagues: 1,
      conversations: { rows: [], nextCursor: null },
      mayChange: false,
    });
  });

  test.for(['no id', '0193e1a0-0000-7000-8000-000000000001'])('%s is not found', async (id, { contacts }) => {
    expect(await contacts.get({ id })).toBeNull();
    expect(await contacts.conversations({ id })).toEqual({ rows: [], nextCursor: null });
  });

  test('lists its conversations newest first, page by page, without merged ones and tests', async ({
    workspaceId,
    contacts,
  }) => {
    const [id, other] = [await addContact(workspaceId), await addContact(workspaceId)];
    await db().$executeRaw`
      insert into conversations (id, workspace_id, contact_id, subject, channel, is_test, status_changed_at, last_message_at)
      select gen_random_uuid(), ${workspaceId}::uuid, case when n = 60 then ${other}::uuid else ${id}::uuid end, 'Number ' || n,
        'email', n = 61, now(), timestamptz '2026-01-01' + (n / 3) * interval '1 second'
      from generate_series(1, 120) n`;
    const into = await db().conversation.findFirstOrThrow({ where: { workspaceId, subject: 'Number 1' } });
    const merged = { workspaceId, subject: 'Number 62' };
    await db().conversation.updateMany({ where: merged, data: { mergedIntoId: into.id } });
    const expected = await db().$queryRaw<{ id: string }[]>`
      select id from conversations where contact_id = ${id}::uuid and not is_test and merged_into_id is null
      order by last_message_at desc, id desc`;
    expect(expected).toHaveLength(117);
    const shown = await allRows((cursor) => contacts.conversations({ id, cursor }));
    expect(shown).toEqual(expected.map((row) => row.id));
    const opened = await contacts.get({ id });
    expect(idsOf(opened?.conversations ?? { rows: [] })).toEqual(shown.slice(0, 50));
  });
});
