import { v7 as uuidv7 } from 'uuid';
import { without } from '#server/administration/privacy/without-recipients.ts';
import { lockAddresses } from '#server/contacts/lock-addresses.ts';
import { lockVisitors } from '#server/contacts/lock-visitors.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { type ContactErasure, Prisma } from '#server/generated/prisma/client.ts';
import { VISITOR_KEY } from '#server/inbox/blocked-senders/find-blocking.ts';
import { EXPIRE_UNSENT_FILES } from '#server/inbox/files/expire-unsent-files.ts';

/** Conversations that one transaction moves. The last one moves up to twice as many and deletes the contact. */
const MOVED = 500;

type Erasure = Pick<ContactErasure, 'contactId' | 'workspaceId' | 'holderId'>;

/**
 * Moves the conversations of a contact to a holder that nobody sees, and deletes the contact. From then on, whatever arrives from
 * the person creates a new contact: a message that had found the contact before fails at the foreign key, and its job runs again.
 * Continues where an earlier run ended. Two runs wait for each other.
 * @returns the id of the holder, or null when the erasure is not due, was stopped or was finished
 */
export async function beginErasure(contactId: string): Promise<string | null> {
  let holder = await inTransaction((tx) => start(tx, contactId));
  while (holder?.isMoving) holder = await inTransaction((tx) => moveOn(tx, contactId));
  return holder?.id ?? null;
}

type Holder = { id: string; isMoving: boolean };

/** Claims a due erasure. The condition decides against a stop that runs at the same time. */
async function start(tx: Tx, contactId: string): Promise<Holder | null> {
  const id = uuidv7();
  await tx.$executeRaw`
    with claimed as (
      update contact_erasures set started_at = now(), holder_id = ${id}::uuid
      where contact_id = ${contactId}::uuid and due_at <= now() and started_at is null
      returning workspace_id
    )
    insert into contacts (id, workspace_id, is_test, updated_at) select ${id}::uuid, workspace_id, true, now() from claimed`;
  const erasure = await lockErasure(tx, contactId);
  if (!erasure?.holderId) return null;
  return { id: erasure.holderId, isMoving: erasure.holderId !== erasure.contactId };
}

async function lockErasure(tx: Tx, contactId: string): Promise<Erasure | undefined> {
  const [erasure] = await tx.$queryRaw<Erasure[]>`
    select contact_id as "contactId", workspace_id as "workspaceId", holder_id as "holderId" from contact_erasures
    where contact_id = ${contactId}::uuid and started_at is not null
    for update`;
  return erasure;
}

/** Moves older conversations, or the last ones with everything else. Lock order: visitors, conversations, contacts. */
async function moveOn(tx: Tx, contactId: string): Promise<Holder | null> {
  const erasure = await lockErasure(tx, contactId);
  if (!erasure?.holderId) return null;
  const { workspaceId, holderId: id } = erasure;
  if (erasure.contactId === id) return { id, isMoving: false };
  await lockAddresses(tx, erasure);
  await readIdentifiers(tx, erasure);
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
  if ((await moveConversations(tx, erasure, MOVED)) === MOVED) return { id, isMoving: true };
  await lockVisitors(tx, erasure);
  await tx.$executeRaw`
    select from contacts where workspace_id = ${workspaceId}::uuid and id in (
      select unnest(contact_ids) from contact_erasures where contact_id = ${erasure.contactId}::uuid)
    order by id for update`;
  await readIdentifiers(tx, erasure);
  await moveConversations(tx, erasure, 2 * MOVED);
  await holdRepliesElsewhere(tx, erasure.contactId);
  await tx.$executeRaw`
    update contact_erasures set contact_id = ${id}::uuid, started_at = clock_timestamp() where contact_id = ${erasure.contactId}::uuid`;
  await tx.$executeRaw`
    delete from contacts where workspace_id = ${workspaceId}::uuid and id in (
      select unnest(contact_ids) from contact_erasures where contact_id = ${id}::uuid)`;
  return { id, isMoving: false };
}

/** Stores what leads to the contact and to those that are linked to it, before it is deleted. */
async function readIdentifiers(tx: Tx, { contactId }: Erasure): Promise<void> {
  await tx.$executeRaw`
    with erased as (
      select ${contactId}::uuid as id union select contact_id from contact_links where owner_id = ${contactId}::uuid
    ), found as (
      select array(select id from erased union select a.id from contact_aliases a join erased c on c.id = a.contact_id) as ids,
        array(
          select email from contacts where id = ${contactId}::uuid and email is not null
          union select i.external_id from contact_identities i join erased c on c.id = i.contact_id where i.channel = 'email'
        ) as emails,
        array(select c.claimed_email from contacts c join erased using (id) where c.claimed_email is not null) as claimed,
        array(
          select i.external_id from contact_identities i join erased c on c.id = i.contact_id where i.channel <> 'email'
        ) as external_ids
    )
    update contact_erasures e set contact_ids = f.ids, emails = f.emails,
      external_ids = array(select unnest(e.external_ids) union select unnest(f.external_ids)),
      own_emails = array(select distinct unnest(e.own_emails || f.emails || f.claimed))
    from found f where e.contact_id = ${contactId}::uuid`;
}

/**
 * Moves the oldest conversations of the contact to the holder, where no list, search or API call finds them. A conversation in
 * which another person wrote stays in the inbox and becomes that person's. The author of its first message counts as the erased
 * contact in it, unless the address is another contact's. Locks pending replies before conversations, as sending them does.
 * @returns the number of conversations, at most `limit`
 */
async function moveConversations(tx: Tx, { contactId, holderId }: Erasure, limit: number): Promise<number> {
  await tx.$executeRaw`
    select from contact_erasures e join conversations c on c.workspace_id = e.workspace_id
      and (c.contact_id = any(e.contact_ids) or c.linked_from_id = any(e.contact_ids))
    join pending_replies p on p.conversation_id = c.id
    where e.contact_id = ${contactId}::uuid order by p.id for update of p`;
  const found = await tx.$queryRaw<{ id: string; first: string | null; isShared: boolean }[]>`
    with found as materialized (
      select c.id, e.workspace_id, e.contact_ids, e.own_emails from contact_erasures e join conversations c on c.workspace_id = e.workspace_id
        and (c.contact_id = any(e.contact_ids) or c.linked_from_id = any(e.contact_ids))
      where e.contact_id = ${contactId}::uuid order by c.id limit ${limit}::int for no key update of c
    ), begun as materialized (
      select f.*, (
        select m.author_address from (
          select author_address from messages where conversation_id = f.id and direction = 'inbound'
          order by created_at, id limit 1
        ) m where not exists (
          select from contacts k where k.workspace_id = f.workspace_id and k.email = m.author_address
            and k.id <> all(f.contact_ids)
        ) and not exists (
          select from contact_identities i where i.workspace_id = f.workspace_id and i.channel = 'email'
            and i.external_id = m.author_address and i.contact_id <> all(f.contact_ids)
        )) as first
      from found f
    )
    select id, first, exists (
      select from messages m where m.conversation_id = b.id and m.direction = 'inbound' and m.author_address is not null
        and m.author_address is distinct from b.first and m.author_address <> all(b.own_emails)) as "isShared"
    from begun b`;
  await readVisitors(tx, { contactId, ids: found.map(({ id }) => id) });
  const shared = found.filter(({ isShared }) => isShared);
  const sharedIds = shared.map(({ id }) => id);
  const ids = found.flatMap(({ id, isShared }) => (isShared ? [] : [id]));
  for (const { id, first } of shared) {
    // Without an address, a message in a shared conversation counts as the erased contact's.
    await tx.$executeRaw`
      update messages set author_address = null
      where conversation_id = ${id}::uuid and direction = 'inbound' and author_address = ${first}`;
  }
  // Conversations of others that were merged into one of these are separate again.
  await tx.$executeRaw`update conversations set merged_into_id = null where merged_into_id = any(${ids}::uuid[])`;
  await tx.$executeRaw`
    update conversations set contact_id = ${holderId}::uuid, linked_from_id = null, merged_into_id = null, is_test = true,
      external_thread_id = null, removal = 'deleted', removed_at = coalesce(removed_at, now())
    where id = any(${ids}::uuid[])`;
  await tx.$executeRaw`
    with erased as (
      update contact_erasures set shared_ids = shared_ids || ${sharedIds}::uuid[],
        counts = counts || jsonb_build_object(
          'conversations', coalesce((counts ->> 'conversations')::int, 0) + ${ids.length}::int,
          'shared', coalesce((counts ->> 'shared')::int, 0) + ${sharedIds.length}::int)
      where contact_id = ${contactId}::uuid returning own_emails
    )
    update conversations c set linked_from_id = null, subject = null, reply_to = '{}', uses_reply_to = false,
      contact_claimed = false, contact_id = (
        select coalesce(k.id, i.contact_id) from messages m
        left join contacts k on k.workspace_id = m.workspace_id and k.email = m.author_address
        left join contact_identities i on i.workspace_id = m.workspace_id and i.channel = 'email' and i.external_id = m.author_address
        where m.conversation_id = c.id and m.direction = 'inbound' and m.author_address <> all(erased.own_emails)
          and coalesce(k.id, i.contact_id) is not null
        order by m.created_at limit 1)
    from erased where c.id = any(${sharedIds}::uuid[])`;
  await holdPendingReplies(tx, {
    contactId,
    where: Prisma.sql`p.conversation_id = any(${sharedIds}::uuid[])`,
    isOnlyToContact: Prisma.sql`(p.mail_to || p.cc || p.bcc) <@ e.own_emails`,
    emails: 'e.own_emails',
  });
  return found.length;
}

/** Stores which visitors of the web chat the contact was, as the block list names them. */
async function readVisitors(tx: Tx, { contactId, ids }: { contactId: string; ids: string[] }): Promise<void> {
  await tx.$executeRaw`
    update contact_erasures e set external_ids = array(
      select unnest(e.external_ids) union
      select split_part(v.key, ':', 2) from conversations c cross join lateral (select ${VISITOR_KEY} as key) v
      where c.id = any(${ids}::uuid[]) and v.key is not null)
    where e.contact_id = ${contactId}::uuid`;
}

const RECIPIENT_ERASED =
  'A contact it was written to has been erased. Check who gets it, then send, edit or discard the reply.';

type HeldReplies = {
  contactId: string;
  /** Conditions on pending replies `p` with the erasure `e`. */
  where: Prisma.Sql;
  isOnlyToContact: Prisma.Sql;
  /** SQL: the contact's addresses there. */
  emails: string;
};

/** Deletes pending replies that only the contact would get, with their files, and holds those that others would get for their authors. */
async function holdPendingReplies(
  tx: Tx,
  { contactId, where, isOnlyToContact, emails }: HeldReplies,
): Promise<void> {
  await tx.$executeRaw`
    with unsent as (
      delete from pending_replies p using contact_erasures e
      where e.contact_id = ${contactId}::uuid and ${where} and ${isOnlyToContact}
      returning p.attachments
    ) ${Prisma.raw(EXPIRE_UNSENT_FILES)}`;
  const recipients = ['mail_to', 'cc', 'bcc'].map(
    (column) => `${column} = ${without(`p.${column}`, emails)}`,
  );
  await tx.$executeRaw`
    update pending_replies p set problem = ${RECIPIENT_ERASED}, ${Prisma.raw(recipients.join(', '))}
    from contact_erasures e
    where e.contact_id = ${contactId}::uuid and ${where}`;
}

/** Holds pending replies in conversations of others that name the contact. Without recipients, a reply there is to another contact. */
function holdRepliesElsewhere(tx: Tx, contactId: string): Promise<void> {
  const recipients = Prisma.sql`(p.mail_to || p.cc || p.bcc)`;
  return holdPendingReplies(tx, {
    contactId,
    where: Prisma.sql`p.workspace_id = e.workspace_id and ${recipients} && e.emails`,
    isOnlyToContact: Prisma.sql`p.mail_to <> '{}' and ${recipients} <@ e.emails`,
    emails: 'e.emails',
  });
}
