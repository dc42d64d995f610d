import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { statementsOf } from '#test/database/statements.ts';
import { type InboxReader, makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('inbox', { scope: 'file' }, ({ service }) => fill(service.url));

test.for([
  ['few messages', 'yuki'],
  ['many messages', 'haruto'],
])(
  'a word in one of 60 conversations and in %s is found by scanning on',
  async ([_name, search], { inbox }) => {
    const { inbox: screens } = await inbox.screens();
    const statements = await statementsOf(async () => {
      const first = await screens.list({ search });
      expect(numbersOf(first)).toEqual(every(0, 50));
      const second = await screens.list({ search, cursor: first.nextCursor ?? '' });
      expect(numbersOf(second)).toEqual(every(50, MATCHES));
      expect(second.nextCursor).toBeNull();
    });
    expect(statements.filter(({ text }) => text.includes('listed_messages'))).toHaveLength(1);
  },
);

const EVERY = 60;
const MATCHES = 66;
/** More messages than a scan finds by their index. */
const MESSAGES = 1_100;

const numbersOf = ({ rows }: InboxPage) => rows.map(({ subject }) => Number(/\d+/.exec(subject ?? '')));

/** Returns the numbers of matches by their position in the list. */
function every(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => (from + i + 1) * EVERY);
}

/**
 * Creates a workspace with a conversation each minute. Every sixtieth has both words: in turns in the name of its contact, in
 * its subject, in a message and in a note. The oldest one has more messages with the second word.
 */
async function fill(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  const { workspaceId } = inbox;
  await inBulk(async (bulk) => {
    await bulk.$executeRaw`
      with given as (
        select n, gen_random_uuid() as id, gen_random_uuid() as contact_id, now() - n * interval '1 minute' as at,
          case when n % ${EVERY}::int = 0 then n / ${EVERY}::int % 4 end as place
        from generate_series(1, ${EVERY * MATCHES + 1}::int) n
      ), contact as (
        insert into contacts (id, workspace_id, first_name, updated_at)
        select contact_id, ${workspaceId}::uuid, case when place = 0 then 'Yuki Haruto' else 'Somebody' end, now() from given
      ), conversation as (
        insert into conversations (id, workspace_id, channel, subject, contact_id, last_message_at, updated_at)
        select id, ${workspaceId}::uuid, 'email', case when place = 1 then 'Yuki Haruto ' else 'Number ' end || n, contact_id, at, now() from given
      ), message as (
        insert into messages (id, workspace_id, conversation_id, direction, author_kind, content, created_at)
        select gen_random_uuid(), ${workspaceId}::uuid, id, 'inbound', 'contact',
          case when place = 2 then 'Yuki and Haruto' else 'Hello' end, at from given
      )
      insert into notes (id, workspace_id, conversation_id, author_kind, content)
      select gen_random_uuid(), ${workspaceId}::uuid, id, 'teammate', 'Yuki called Haruto' from given where place = 3`;
    await bulk.$executeRaw`
      insert into messages (id, workspace_id, conversation_id, direction, author_kind, content)
      select gen_random_uuid(), workspace_id, id, 'inbound', 'contact', 'Haruto'
      from conversations, generate_series(1, ${MESSAGES}::int)
      where workspace_id = ${workspaceId}::uuid and subject = ${`Number ${EVERY * MATCHES}`}`;
  });
  await pool().query('vacuum analyze contacts, conversations, messages, notes');
  return inbox;
}
