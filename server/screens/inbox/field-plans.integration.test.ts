import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { writeFieldConditions } from '#server/inbox/lists/field-conditions.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { BUSY_CONVERSATIONS } from '#test/database/large-installation.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { test as largeTest } from '#test/fixtures/large-workspace-test.ts';

// Filters by custom fields read a bounded number of values, however many conversations have one.

const ROWS = 50;

/** `reference`: a field in which each conversation of a busy inbox has its own text. */
const test = largeTest
  .extend('inbox', { scope: 'file' }, async ({ busy }) => (await busy.screens()).inbox)
  .extend('reference', { scope: 'file' }, async ({ busy: { workspaceId } }) => {
    const { id } = await db().customField.create({
      data: { workspaceId, subject: 'conversation', type: 'text', name: 'Reference', position: 0 },
    });
    await inBulk(async (bulk) => {
      await bulk.$executeRaw`
        insert into conversation_field_values (conversation_id, field_id, workspace_id, text)
        select id, ${id}::uuid, workspace_id, 'Case ' || split_part(subject, ' ', 2) || ' of 2026'
        from conversations where workspace_id = ${workspaceId}::uuid`;
      await bulk.$executeRaw`vacuum analyze conversation_field_values`;
    });
    return id;
  });

describe(`a field in which ${BUSY_CONVERSATIONS} conversations have a text of their own`, () => {
  // Rows read by the list, and by its counts. A step of a list scans 20,000 conversations, and the cursor continues after them.
  test.for([
    ['a whole text', 'is', 'case 40000 of 2026', { found: 1, read: 2_300, counted: 1_000 }],
    ['a part of all texts', 'has', 'of 2026', { found: ROWS, read: 700, counted: 7_000 }],
    ['a part of few texts', 'has', 'case 4000', { found: 1, read: 60_000, counted: 25_000 }],
    ['a part of no text', 'has', 'xylophone', { found: 0, read: 60_000, counted: 25_000 }],
    ['any text', 'set', '', { found: ROWS, read: 700, counted: 7_000 }],
    ['no text', 'empty', '', { found: 0, read: 2_300, counted: 12_000 }],
  ] as const)('is filtered by %s', async ([_name, operator, value, most], { inbox, reference }) => {
    const values = value === '' ? [] : [value];
    const fields = writeFieldConditions([{ subject: 'conversation', fieldId: reference, operator, values }]);
    expect((await inbox.list({ fields })).rows).toHaveLength(most.found);
    expect((await readingOf(() => inbox.list({ fields }))).rows).toBeLessThan(most.read);
    expect((await readingOf(() => inbox.counts({ fields }))).rows).toBeLessThan(most.counted);
  });

  test('is found to its end by the cursor', async ({ inbox, reference }) => {
    const fields = writeFieldConditions([
      { subject: 'conversation', fieldId: reference, operator: 'has', values: ['case 4000'] },
    ]);
    const found: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await inbox.list({ fields, cursor });
      found.push(...page.rows.map(({ subject }) => subject));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toHaveLength(11);
    expect(found[0]).toContain('Number 4000 ');
  });
});
