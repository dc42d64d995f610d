import { expect } from 'vitest';
import { purgeDeleted } from '#server/administration/workspaces/purge-deleted.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { lookUpMailSender } from '#server/inbox/incoming-mail/look-up-mail-sender.ts';
import { receiveMail } from '#server/inbox/incoming-mail/receive-mail.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { statementsOf } from '#test/database/statements.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

// The lookups of claims, blocked senders and removed conversations must not grow with the workspace.

const test = mailTest.extend('large', { scope: 'file' }, ({ service: _ }) => makeLarge());

const CONVERSATIONS = 20_000;
const REMOVED = 2_000;
const BLOCKED = 5_000;
/** Maximum number of rows that a page of 50 conversations reads, with their details. */
const ROWS_MAX = 700;

test.for<[string, string]>([
  ['fails', 'charles@bank.test'],
  ['proves nothing', 'somebody@tiny.test'],
])('a mail that %s reads few rows to find its sender', async ([_name, from], { inbound, large }) => {
  const { workspaceId } = large;
  await db().contact.createMany({ data: { workspaceId, claimedEmail: from } });
  const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  const statements = await statementsOf(async () => {
    await inbound.send({ raw: rawMail({ From: from }), to: address, from });
    const waiting = await db().inboundUpdate.findMany({ where: { processedAt: null } });
    for (const { id } of waiting) {
      await lookUpMailSender(id);
      await receiveMail(id);
    }
  });
  expect(await db().contact.count({ where: { workspaceId, claimedEmail: from } })).toBe(2);
  const lookups = statements.filter(({ text }) => /claimed_email|blocked_senders/.test(text));
  expect(lookups.length).toBeGreaterThan(2);
  await expectFewRows(lookups, 50);
});

test('a conversation with a claim reads few rows', async ({ large }) => {
  const { id } = await db().conversation.findFirstOrThrow({
    where: { workspaceId: large.workspaceId, contactClaimed: true, removal: null },
  });
  const screens = await (await signInTeammate(large.agent))();
  const statements = await statementsOf(async () => {
    const opened = await screens.conversations.get({ id });
    expect(opened?.conversation.claim?.owner).toBeTruthy();
  });
  await expectFewRows(statements, ROWS_MAX);
});

test('Spam, Deleted and the preview of a deletion read few rows', async ({ large }) => {
  const screens = await (await signInTeammate(large.owner))();
  const statements = await statementsOf(async () => {
    const spam = await screens.removed.listSpam({});
    expect(spam.rows).toHaveLength(50);
    await screens.removed.listSpam({ cursor: spam.nextCursor ?? '' });
    const [deleted] = (await screens.removed.listDeleted({})).rows;
    await screens.removed.previewDeletion({ id: deleted?.id ?? '' });
    await screens.removed.blockChoices({ id: deleted?.id ?? '' });
  });
  await expectFewRows(statements, 3 * ROWS_MAX);
});

test('the job that removes deleted conversations reads only those that are due', async ({ large: _ }) => {
  const statements = await statementsOf(() => purgeDeleted());
  await expectFewRows(
    statements.filter(({ text }) => text.includes('removal')),
    10,
  );
});

/** Expects that no large table is scanned, and that all statements together read few rows. Skips writes. */
async function expectFewRows(statements: Awaited<ReturnType<typeof statementsOf>>, most: number) {
  const reads = statements.filter(
    ({ text }) =>
      /^\s*(select|with)\b/i.test(text) && !/\b(insert into|delete from|update \w+ set)/i.test(text),
  );
  expect(reads.length).toBeGreaterThan(0);
  let sum = 0;
  for (const statement of reads) {
    const { scanned, rows } = await readPlan(statement);
    const large = scanned.filter((table) => LARGE.has(table));
    expect({ statement: statement.text, large }).toEqual({ statement: statement.text, large: [] });
    sum += rows;
  }
  expect(sum).toBeLessThanOrEqual(most);
}

const LARGE = new Set(['contacts', 'conversations', 'blocked_senders', 'messages', 'timeline_entries']);

/** Half of the contacts claim an address that the other half has. The newest conversations are spam or deleted. */
async function fill(bulk: Pick<ReturnType<typeof db>, '$executeRaw'>, workspaceId: string): Promise<void> {
  await bulk.$executeRaw`
    insert into contacts (id, workspace_id, email, claimed_email, created_at, updated_at)
    select gen_random_uuid(), ${workspaceId}::uuid, case when n % 2 = 0 then 'c' || n || '@bank.test' end,
      case when n % 2 = 1 then 'c' || n - 1 || '@bank.test' end, now() - n * interval '1 minute', now()
    from generate_series(1, ${CONVERSATIONS}::int) n`;
  await bulk.$executeRaw`
    insert into conversations (id, workspace_id, channel, subject, contact_id, contact_claimed, removal, removed_at,
      last_message_at, created_at, updated_at)
    select gen_random_uuid(), workspace_id, 'email', 'Order', id, claimed_email is not null,
      case when number <= ${REMOVED}::int then (array['spam', 'deleted'])[number % 2 + 1]::removal end,
      case when number <= ${REMOVED}::int then created_at end, created_at, created_at, now()
    from (select *, (row_number() over (order by created_at desc))::int as number from contacts
      where workspace_id = ${workspaceId}::uuid) k`;
  await bulk.$executeRaw`
    insert into messages (id, workspace_id, conversation_id, direction, author_kind, content, created_at)
    select gen_random_uuid(), workspace_id, id, 'inbound', 'contact', 'Hello', created_at
    from conversations where workspace_id = ${workspaceId}::uuid`;
  await bulk.$executeRaw`
    insert into timeline_entries (id, workspace_id, conversation_id, kind, actor_kind, data, created_at)
    select gen_random_uuid(), workspace_id, id, 'created', 'contact', '{}', created_at
    from conversations where workspace_id = ${workspaceId}::uuid`;
  await bulk.$executeRaw`
    insert into blocked_senders (id, workspace_id, kind, value, created_by_name)
    select gen_random_uuid(), ${workspaceId}::uuid, 'address', 'spam' || n || '@ads.test', 'Ada'
    from generate_series(1, ${BLOCKED}::int) n`;
  await pool().query('vacuum analyze contacts, conversations, messages, timeline_entries, blocked_senders');
}

async function makeLarge() {
  const teammates = await makeTeammates();
  await inBulk((bulk) => fill(bulk, teammates.workspaceId));
  return teammates;
}
