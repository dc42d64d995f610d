import type { Db } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ThreadCandidate, ThreadLookups } from '#server/inbox/incoming-mail/choose-thread.ts';

/** Maximum number of conversations, and of the newest messages of each, that are searched for a person in copy. */
const JOINED_MAX = 20;
const NAMING_MAX = 500;

type Row = ThreadCandidate & { key: string };

/** Address of a contact from an accepted offer (docs/rulings.md 3.44). The contact only claims it. */
const CHOSEN = Prisma.sql`array(
  select o.email from contact_offers o
  where o.conversation_id = c.id and o.accepted_at is not null and o.contact_id = c.contact_id)`;

/** Returns the thread lookups of a workspace. */
export function threadLookups(db: Db, workspaceId: string): Omit<ThreadLookups, 'isTeammate'> {
  return {
    byReference: async (ids) => {
      const rows = await db.$queryRaw<Row[]>`
        select r.message_id_header as key, c.id as "conversationId", ${addressesOf('p')} || ${addressesOf('q')} || ${CHOSEN} as "contactEmails",
          case when p.email is null then p.claimed_email end as "claimedEmail"
        from mail_references r
        join conversations c on c.id = r.conversation_id
        left join contacts p on p.id = c.contact_id
        left join conversations d on d.id = c.merged_into_id
        left join contacts q on q.id = d.contact_id
        where r.workspace_id = ${workspaceId}::uuid and r.message_id_header = any(${ids}::text[]) and not c.is_test
        order by r.created_at desc limit 1000`;
      return new Map(rows.map((row) => [row.key, candidateOf(row)]));
    },
    byConversation: async (ids) => {
      const rows = await db.$queryRaw<Row[]>`
        select c.id as key, c.id as "conversationId", ${addressesOf('p')} || ${addressesOf('q')} || ${CHOSEN} as "contactEmails",
          case when p.email is null then p.claimed_email end as "claimedEmail"
        from conversations c
        left join contacts p on p.id = c.contact_id
        left join conversations d on d.id = c.merged_into_id
        left join contacts q on q.id = d.contact_id
        where c.workspace_id = ${workspaceId}::uuid and c.id = any(${ids}::uuid[]) and not c.is_test`;
      return rows.map(candidateOf);
    },
    inCopy: async (conversationIds, email) => {
      const rows = await db.$queryRaw<{ id: string }[]>`
        select c.id from conversations c
        left join contacts p on p.id = c.contact_id
        where c.workspace_id = ${workspaceId}::uuid and c.id = any(${conversationIds.slice(0, JOINED_MAX)}::uuid[])
          and exists (
            select from (
              select m.direction, m.automatic, m.sender_verified, m.send_status, m.mail_to, m.cc from messages m
              where m.conversation_id = c.id order by m.created_at desc limit ${NAMING_MAX}
            ) named
            where not named.automatic and (${email} = any(named.mail_to || named.cc)
              or c.channel = 'email' and named.direction = 'outbound' and named.mail_to = '{}'
                and p.email is null and p.claimed_email = ${email}) and (
              named.direction = 'inbound' and named.sender_verified
              or named.direction = 'outbound' and named.send_status = 'sent'))`;
      return new Set(rows.map(({ id }) => id));
    },
  };
}

function candidateOf({ conversationId, contactEmails, claimedEmail }: Row): ThreadCandidate {
  return { conversationId, contactEmails, claimedEmail };
}

/** Returns the SQL expression of a contact's addresses: its own, and those of contacts merged into it. */
function addressesOf(contact: 'p' | 'q'): Prisma.Sql {
  const row = Prisma.raw(contact);
  return Prisma.sql`array_remove(array[${row}.email], null) || array(
    select i.external_id from contact_identities i
    where i.workspace_id = ${row}.workspace_id and i.contact_id = ${row}.id and i.channel = 'email')`;
}

/** Returns the name of the teammate with this address, or null. */
export async function findTeammateName(
  db: Db,
  { workspaceId, email }: { workspaceId: string; email: string | null },
): Promise<string | null> {
  if (email === null) return null;
  const where = { email, memberships: { some: { workspaceId } } };
  return (await db.user.findFirst({ where, select: { name: true } }))?.name ?? null;
}
