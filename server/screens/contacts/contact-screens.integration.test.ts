import { beforeEach, describe, expect, test } from 'vitest';
import { phoneDigits } from '#server/contacts/contact-fields.ts';
import { db } from '#server/core/database/prisma.ts';
import type { screensFor } from '#server/screens/router.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { statementsOf } from '#test/database/statements.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

const START = Date.UTC(2026, 0, 1);

withTestService();
let workspaceId: string;
let contacts: Awaited<ReturnType<typeof screensFor>>['contacts'];
beforeEach(async () => {
  const teammates = await makeTeammates();
  workspaceId = teammates.workspaceId;
  contacts = (await (await signInTeammate(teammates.viewer))()).contacts;
});

type Person = { phone?: string; [column: string]: unknown };
let age = 0;
/** Creates a contact, newer than the previous one. */
async function know({ phone, ...columns }: Person = {}): Promise<string> {
  const phones = phone === undefined ? {} : { phone, phoneDigits: phoneDigits(phone) };
  const createdAt = new Date(START + age++ * 1_000);
  const data = { workspaceId, firstName: 'Ada', createdAt, ...phones, ...columns };
  return (await db().contact.create({ data })).id;
}
const makeCompany = async (name: string, where = workspaceId) =>
  (await db().company.create({ data: { workspaceId: where, name } })).id;
const idsOf = (page: { rows: { id: string }[] }) => page.rows.map(({ id }) => id);
const found = async (search: string) => idsOf(await contacts.list({ search }));

/** Collects all rows of a list; `between` runs after each page. */
async function allRows(
  list: (cursor: string | undefined) => Promise<{ rows: { id: string }[]; nextCursor: string | null }>,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await list(cursor);
    expect(page.rows.length).toBeLessThanOrEqual(50);
    ids.push(...idsOf(page));
    if (page.nextCursor === null) return ids;
    cursor = page.nextCursor;
    await between();
  }
}

describe('the list of contacts', () => {
  test('is sorted newest first and shows name, address, phone and company', async () => {
    const companyId = await makeCompany('Engines');
    const ada = await know({ lastName: 'Lovelace', email: 'ada@engines.test', phone: '+44 7', companyId });
    const bob = await know({ firstName: null, email: 'bob@engines.test' });
    const { rows, nextCursor } = await contacts.list({});
    expect(idsOf({ rows })).toEqual([bob, ada]);
    expect(nextCursor).toBeNull();
    const createdAt = expect.any(Date);
    expect(rows).toEqual([
      { id: bob, name: null, email: 'bob@engines.test', phone: null, companyName: null, createdAt },
      {
        id: ada,
        name: 'Ada Lovelace',
        email: 'ada@engines.test',
        phone: '+44 7',
        companyName: 'Engines',
        createdAt,
      },
    ]);
  });

  test('excludes contacts of another workspace and of AI agent tests', async () => {
    const abroad = await makeTeammates();
    await know({ workspaceId: abroad.workspaceId });
    await know({ isTest: true });
    const here = await know();
    expect(idsOf(await contacts.list({}))).toEqual([here]);
    expect(await found('ada')).toEqual([here]);
    expect(
      await contacts.get({
        id: (await db().contact.findFirstOrThrow({ where: { workspaceId: abroad.workspaceId } })).id,
      }),
    ).toBeNull();
  });

  test('pages miss and repeat no contact, although timestamps are equal and contacts are added in between', async () => {
    const timestamps = Array.from(
      { length: 130 },
      (_, i) => `2026-01-01T00:00:0${Math.floor(i / 30)}.000${i % 3}Z`,
    );
    // As text, because the database stores microseconds and JavaScript milliseconds.
    await db().$executeRaw`
      insert into contacts (id, workspace_id, first_name, created_at)
      select gen_random_uuid(), ${workspaceId}::uuid, 'Ada', m::timestamptz from unnest(${timestamps}::text[]) m`;
    const all = await db().$queryRaw<{ id: string }[]>`
      select id from contacts where workspace_id = ${workspaceId}::uuid order by created_at desc, id desc`;
    const newcomer = () => know({ createdAt: new Date() });
    expect(await allRows((cursor) => contacts.list({ cursor }), newcomer)).toEqual(all.map(({ id }) => id));
    const searched = await allRows((cursor) => contacts.list({ cursor, search: 'ada' }), newcomer);
    expect(searched.slice(2)).toEqual(all.map(({ id }) => id));
  });

  test('of one company shows only its contacts, also when searched', async () => {
    const companyId = await makeCompany('Engines');
    const [ada, bob] = [await know({ companyId }), await know({ companyId, firstName: 'Bob' })];
    await know();
    expect(idsOf(await contacts.list({ companyId }))).toEqual([bob, ada]);
    expect(idsOf(await contacts.list({ companyId, search: 'bob' }))).toEqual([bob]);
    expect(await contacts.company({ id: companyId })).toEqual({ id: companyId, name: 'Engines' });
  });

  test('of an unknown company or another workspace’s is empty', async () => {
    const abroad = await makeTeammates();
    const theirs = await makeCompany('Abroad', abroad.workspaceId);
    await know({ workspaceId: abroad.workspaceId, companyId: theirs });
    for (const companyId of [theirs, 'no such', '']) {
      expect((await contacts.list({ companyId })).rows).toEqual([]);
      expect(await contacts.company({ id: companyId })).toBeNull();
    }
  });

  test('starts at the newest contact for an invalid cursor', async () => {
    const id = await know();
    expect(idsOf(await contacts.list({ cursor: "'; drop table contacts" }))).toEqual([id]);
  });
});

describe('a search', () => {
  test.each([
    'lovelace',
    'LOVE',
    'ada love',
    'Lovelace Ada',
    'ada.lovelace@engines.test',
    'lovelace@engines',
    'engines.test',
    '+44 20 7946-0018',
    '442079460018',
    '44207946',
    '7946',
    '(44) 20 7946 0018',
    'tallow',
    'rye bak',
    '& Rye',
  ])('for %j finds the contact by name, address, phone or company', async (search) => {
    const companyId = await makeCompany('Tallow & Rye Bakery');
    const ada = await know({
      lastName: 'Lovelace',
      email: 'ada.lovelace@engines.test',
      phone: '+44 20 7946 0018',
      companyId,
    });
    await know({ firstName: 'Bob', lastName: 'Unknown', email: 'bob@else.example', phone: '+49 30 1' });
    expect(await found(search)).toEqual([ada]);
  });

  test.each(['@', '%', '\\', "'", '*:*', 'lovelacf', 'ada bob', '0018 0018 9', 'w:'])(
    'for %j finds no one',
    async (search) => {
      await know({ lastName: 'Lovelace', email: 'ada@engines.test', phone: '+44 20 7946 0018' });
      await know({ firstName: 'Bob' });
      expect(await found(search)).toEqual([]);
    },
  );

  test('that is blank lists everyone', async () => {
    const id = await know();
    expect(await found('  ')).toEqual([id]);
  });

  test('finds contacts of a company with the word in its name and contacts with the word, newest first', async () => {
    const companyId = await makeCompany('Bakery of Ada');
    const carl = await know({ firstName: 'Carl', companyId });
    const ada = await know({ companyId });
    const other = await know({ email: 'ada@else.example', firstName: null });
    expect(await found('ada')).toEqual([other, ada, carl]);
  });
});

describe('in a large workspace', () => {
  const MANY = 12_000;
  /** Returns the number of rows that the statements of a list read, and the contacts found. */
  async function readingOf(input: Parameters<typeof contacts.list>[0]) {
    let ids: string[] = [];
    const sent = await statementsOf(async () => {
      ids = idsOf(await contacts.list(input));
    });
    const lists = sent.filter(({ text }) => text.includes('from contacts c'));
    const readings = await Promise.all(lists.map(readPlan));
    return {
      ids,
      queries: lists.length,
      rows: readings.reduce((sum, { rows }) => sum + rows, 0),
      scanned: readings.flatMap(({ scanned }) => scanned),
    };
  }

  test('a page, a common word and a rare word read few rows, even if the rare word is on the oldest contact', async () => {
    const oldest = await know({ firstName: 'Methuselah', createdAt: new Date(0) });
    await inBulk(
      (bulk) => bulk.$executeRaw`
        insert into contacts (id, workspace_id, first_name, last_name, email, created_at)
        select gen_random_uuid(), ${workspaceId}::uuid, 'Common', 'Number' || n, 'c' || n || '@mail.test',
          now() - n * interval '1 minute'
        from generate_series(1, ${MANY}::int) n`,
    );
    // As autovacuum does. It also moves pending entries of the bulk insert into the search index.
    await inBulk((bulk) => bulk.$executeRaw`vacuum analyze contacts`);
    const page = await readingOf({});
    expect(page).toMatchObject({ queries: 1, scanned: [] });
    expect(page.rows).toBeLessThan(3 * 51);

    const common = await readingOf({ search: 'common' });
    expect(common.ids).toEqual(page.ids);
    expect(common).toMatchObject({ queries: 1, scanned: [] });
    expect(common.rows).toBeLessThan(2 * 5_000 + 200);

    const rare = await readingOf({ search: 'methus' });
    expect(rare).toMatchObject({ ids: [oldest], queries: 2, scanned: [] });
    expect(rare.rows).toBeLessThan(2 * 5_000 + 200);
  });
});

describe('a contact', () => {
  test('shows its fields and company with the number of other contacts, read-only for a viewer', async () => {
    const companyId = await makeCompany('Engines');
    const id = await know({ email: 'ada@engines.test', city: 'London', language: 'en', companyId });
    await know({ companyId });
    await know({ companyId, isTest: true });
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

  test.each(['no id', '0193e1a0-0000-7000-8000-000000000001'])('%s is not found', async (id) => {
    expect(await contacts.get({ id })).toBeNull();
    expect(await contacts.conversations({ id })).toEqual({ rows: [], nextCursor: null });
  });

  test('lists its conversations newest first, page by page, without merged ones and tests', async () => {
    const [id, other] = [await know(), await know()];
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
