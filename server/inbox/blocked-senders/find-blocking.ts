import type { SqlDb } from '#server/core/database/sql.ts';
import { asciiEmail } from '#server/core/email-domain.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Keys of a sender in the block list: the addresses in the From header and the envelope, and ids on chat channels. */
export type SenderKeys = { emails?: readonly string[]; chats?: readonly string[] };

/** Returns the ids of the given workspaces that block a sender. One round trip; none for a sender without keys. */
export async function findBlocking(
  db: SqlDb,
  workspaceIds: readonly string[],
  keys: SenderKeys,
): Promise<Set<string>> {
  return workspacesOf(await findEntries(db, workspaceIds, keys));
}

/**
 * Returns the ids of the given workspaces that refuse a message because they block its sender, and records the time with
 * the entries that block them. Writes at most once a minute for each entry. As many round trips as `findBlocking` for a
 * sender who is not blocked.
 */
export async function refuseBlocked(
  db: SqlDb,
  workspaceIds: readonly string[],
  keys: SenderKeys,
): Promise<Set<string>> {
  const found = await findEntries(db, workspaceIds, keys);
  const stale = found.filter(({ isStale }) => isStale).map(({ id }) => id);
  if (stale.length > 0) {
    // Skips entries that another message of the sender is updating: parallel messages neither wait nor deadlock.
    await db.$executeRaw`
      update blocked_senders set last_refused_at = now() where id in (
        select id from blocked_senders b where b.id = any(${stale}::uuid[]) and ${IS_STALE}
        for no key update skip locked)`;
  }
  return workspacesOf(found);
}

/** The stored time is missing or at least a minute old. */
const IS_STALE = Prisma.sql`(b.last_refused_at is null or b.last_refused_at <= now() - interval '1 minute')`;

type Entry = { id: string; workspaceId: string; isStale: boolean };

async function findEntries(
  db: SqlDb,
  workspaceIds: readonly string[],
  { emails = [], chats = [] }: SenderKeys,
): Promise<Entry[]> {
  const addresses = emails.map((email) => asciiEmail(email.trim())).filter((email) => email.includes('@'));
  if (workspaceIds.length === 0 || addresses.length + chats.length === 0) return [];
  const keys = { emails: Prisma.sql`${addresses}::text[]`, chats: Prisma.sql`${chats}::text[]` };
  return db.$queryRaw<Entry[]>`
    select b.id, b.workspace_id as "workspaceId", ${IS_STALE} as "isStale" from blocked_senders b
    where b.workspace_id = any(${workspaceIds}::uuid[]) and ${isBlocking(keys)}`;
}

function workspacesOf(entries: Entry[]): Set<string> {
  return new Set(entries.map(({ workspaceId }) => workspaceId));
}

/** Labels of a domain name that are looked up. A domain name has at most 127. */
const LABELS_MAX = 127;

/**
 * Returns SQL that is true for the entries `b` that block a sender. A blocked domain includes its subdomains: each domain
 * above an address is looked up, without the top-level domain.
 * @param keys SQL for arrays: the addresses in lowercase with their domains in ASCII, and the ids on chat channels
 */
export function isBlocking({ emails, chats }: { emails: Prisma.Sql; chats: Prisma.Sql }): Prisma.Sql {
  return Prisma.sql`(
    (b.kind = 'address' and b.value = any(${emails}))
    or (b.kind = 'domain' and b.value = any(array(
      select array_to_string(a.labels[n:], '.')
      from (select string_to_array(split_part(email, '@', -1), '.') as labels from unnest(${emails}) email) a
      cross join generate_series(greatest(1, cardinality(a.labels) + 1 - ${LABELS_MAX}::int), cardinality(a.labels) - 1) n)))
    or (b.kind = 'chat' and b.value = any(${chats})))`;
}

/** A person on a chat channel. */
export type ChatIdentity = { channel: string; scope: string; externalId: string };

/** Returns the key of a person on a provider's channel in the block list. */
export function chatKey({ channel, scope, externalId }: ChatIdentity): string {
  return `${channel}:${scope}:${externalId}`;
}

/** SQL for `chatKey` of the contact identity `i`. */
export const CHAT_KEY_OF_IDENTITY = Prisma.sql`i.channel::text || ':' || i.scope || ':' || i.external_id`;

/**
 * SQL for the key of a web chat's visitor in the block list: the first parts of the external ids of their messages. Null
 * for a conversation `c` on another channel.
 */
export const VISITOR_KEY = Prisma.sql`(
  select 'webchat:' || nullif(split_part(m.external_id, ':', 2), '') from messages m
  where c.channel = 'webchat' and m.conversation_id = c.id and m.direction = 'inbound'
  order by m.created_at, m.id limit 1)`;
