import { Prisma } from '#server/generated/prisma/client.ts';
import type { BlockedKind } from '#server/generated/prisma/enums.ts';
import {
  CHAT_KEY_OF_IDENTITY,
  isBlocking,
  VISITOR_KEY,
} from '#server/inbox/blocked-senders/find-blocking.ts';

/** An entry of the block list that refuses messages of a contact. Timestamps are texts, as they arrive in JSON. */
export type ContactBlock = {
  id: string;
  kind: BlockedKind;
  value: string;
  label: string | null;
  createdByName: string;
  createdAt: string;
  lastRefusedAt: string | null;
};

/** Maximum numbers of a contact's ids that are looked up, on each of email and the channel, and of returned entries. */
const IDS_MAX = 20;
const BLOCKS_MAX = 5;

/**
 * Returns SQL for a JSON array of the entries that now block the contact `k` of the conversation `c`, oldest first: by any
 * of their email addresses, or by their ids on the channel of the conversation.
 * @param author SQL for the address of another person who writes in the conversation; null for none
 */
export function contactBlocks(author: Prisma.Sql): Prisma.Sql {
  const idsOf = (channel: Prisma.Sql, id: Prisma.Sql) => Prisma.sql`array(
    select ${id} from contact_identities i
    where i.workspace_id = k.workspace_id and i.contact_id = k.id and i.channel = ${channel} limit ${IDS_MAX}::int)`;
  return Prisma.sql`(
    select coalesce(json_agg(json_build_object('id', b.id, 'kind', b.kind, 'value', b.value, 'label', b.label,
      'createdByName', b.created_by_name, 'createdAt', b.created_at, 'lastRefusedAt', b.last_refused_at)
      order by b.created_at, b.id), '[]')
    from (select
        array[k.email, k.claimed_email, ${author}] || ${idsOf(Prisma.sql`'email'`, Prisma.sql`i.external_id`)} as emails,
        array[${VISITOR_KEY}] || ${idsOf(Prisma.sql`c.channel`, CHAT_KEY_OF_IDENTITY)} as chats
      offset 0) keys
    cross join lateral (
      select * from blocked_senders b
      where b.workspace_id = c.workspace_id
        and ${isBlocking({ emails: Prisma.sql`keys.emails`, chats: Prisma.sql`keys.chats` })}
      order by b.created_at desc, b.id desc limit ${BLOCKS_MAX}::int) b)`;
}
