import { describe, expect } from 'vitest';
import { listContactsByChange } from '#server/contacts/list-by-change.ts';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import type { screensFor } from '#server/screens/router.ts';
import { OF_FEW, OF_MANY } from '#test/database/large-installation.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { idsOf } from '#test/fixtures/contact-list.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { test } from '#test/fixtures/large-workspace-test.ts';

describe('the list of contacts', () => {
  test('reads few rows for a page, a common word and a rare word, even if the rare word is on the oldest contact', async ({
    years,
  }) => {
    const { contacts } = await years.screens();
    const page = await listOf(contacts, {});
    expect(page.rows).toBeLessThan(3 * 51);

    const common = await listOf(contacts, { search: 'contact' });
    expect(common.ids).toEqual(page.ids);
    expect(common.rows).toBeLessThan(2 * 5_000 + 200);

    const rare = await listOf(contacts, { search: 'methus' });
    const oldest = await db().contact.findFirstOrThrow({ where: { firstName: 'Methuselah' } });
    expect(rare.ids).toEqual([oldest.id]);
    expect(rare.rows).toBeLessThan(2 * 5_000 + 200);
    for (const { scanned, statements } of [page, common, rare]) {
      expect(scanned).not.toContain('contacts');
      expect(statements).toBeLessThanOrEqual(2);
    }
  });
});

describe('the developer API’s list of contacts', () => {
  test('reads a page by an index wherever it is, with each of its filters', async ({ years }) => {
    const { workspaceId } = years;
    const middle = await db().contact.findFirstOrThrow({
      where: { workspaceId },
      skip: 3_000,
      orderBy: { id: 'asc' },
    });
    const company = await db().company.findFirst({ where: { workspaceId } });
    const after = { micros: String(middle.updatedAt.getTime() * 1_000), id: middle.id };
    const filters = [
      {},
      { after },
      { updatedSince: middle.updatedAt },
      { email: middle.email ?? 'nobody@engines.test' },
      { phone: '+44 20 7946 0018' },
      { companyId: company?.id ?? middle.id, after },
    ];
    for (const filter of filters) {
      const { scanned, rows } = await readingOf(() =>
        listContactsByChange(sql(), { workspaceId, after: null, limit: 51, ...filter }),
      );
      expect(scanned, JSON.stringify(filter)).not.toContain('contacts');
      expect(rows, JSON.stringify(filter)).toBeLessThan(4 * 51);
    }
  });
});

describe('a company', () => {
  test('finds the contacts of its domain by an index, however many contacts there are', async ({ years }) => {
    const { companies } = await years.screens();
    const { id } = await companies.create({ name: 'Engines' });
    await companies.addDomain({ id, domain: 'engines.test' });
    await db().contact.create({ data: { workspaceId: years.workspaceId, email: 'ada@engines.test' } });
    const { scanned, rows } = await readingOf(async () => {
      expect((await companies.get({ id }))?.domains).toMatchObject([{ unlinked: { count: 1, more: false } }]);
    });
    expect(scanned).not.toContain('contacts');
    expect(rows).toBeLessThan(20);
  });

  test('is refused after ten thousand, even when it is created with a contact', async ({ busy }) => {
    const { companies, contacts } = await busy.screens();
    const sentence = 'A workspace can have up to 10,000 companies. Delete one first.';
    await companies.create({ name: 'The last one' });
    expect(await errorsOf(companies.create({ name: 'More' }))).toEqual({ name: [sentence] });
    expect(await errorsOf(contacts.create({ name: 'Ada', company: { name: 'More' } }))).toEqual({
      companyName: [sentence],
    });
    expect(await errorsOf(contacts.create({ name: 'Ada', company: { name: 'company 7' } }))).toBeUndefined();
  });
});

test('ten thousand conversations move in one merge, and a contact with more than twenty thousand is refused', async ({
  busy: { workspaceId, owner },
}) => {
  const { id: many } = await db().contact.findFirstOrThrow({ where: { workspaceId, firstName: 'Many' } });
  const { id: few } = await db().contact.findFirstOrThrow({ where: { workspaceId, firstName: 'Few' } });
  const countOf = (contactId: string) => db().conversation.count({ where: { workspaceId, contactId } });
  expect(await countOf(many)).toBe(OF_MANY);
  await expect(
    mergeContacts({ workspaceId, id: many, intoId: few, actor: { kind: 'teammate', teammate: owner } }),
  ).rejects.toMatchObject({
    refusal: 'invalid',
  });
  await mergeContacts({ workspaceId, id: few, intoId: many, actor: { kind: 'teammate', teammate: owner } });
  expect(await countOf(many)).toBe(OF_MANY + OF_FEW);
});

type Contacts = Awaited<ReturnType<typeof screensFor>>['contacts'];

/** Returns what a list reads, and the contacts found. */
async function listOf(contacts: Contacts, input: Parameters<Contacts['list']>[0]) {
  let ids: string[] = [];
  const reading = await readingOf(async () => {
    ids = idsOf(await contacts.list(input));
  });
  return { ...reading, ids };
}
