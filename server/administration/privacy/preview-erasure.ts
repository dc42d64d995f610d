import { loadContactScope } from '#server/administration/privacy/contact-scope.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { COUNTED_MAX, type ShownCount, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Newest events and provider updates that a preview reads. */
const READ_MAX = 5_000;

/** Numbers of what an erasure would remove, each up to 999. */
export type ErasurePreview = Record<ErasureCount, ShownCount>;
export type ErasureCount =
  | 'conversations'
  | 'messages'
  | 'files'
  | 'notes'
  | 'scheduled'
  | 'mergedContacts'
  | 'elsewhere'
  | 'events'
  | 'updates'
  | 'auditEntries';

/**
 * Returns what the erasure of a contact would remove now. Changes nothing. Events and updates of providers are counted among the
 * newest `READ_MAX`.
 * @throws Refusal when the workspace has no such contact
 */
export async function previewErasure(
  db: Db,
  which: { workspaceId: string; contactId: string },
): Promise<ErasurePreview> {
  const scope = await loadContactScope(db, which);
  const { workspaceId, contactId, emails, aliasIds } = scope;
  const max = Prisma.sql`limit ${COUNTED_MAX + 1}::int`;
  const quoted = [contactId, ...aliasIds, ...emails].map((text) => `"${text}"`);
  const names = (text: Prisma.Sql) => Prisma.sql`exists (
    select from unnest(${quoted}::text[]) as t (quoted) where strpos(${text}, t.quoted) > 0)`;
  const ids = [contactId, ...aliasIds];
  const count = (from: Prisma.Sql) => Prisma.sql`(select count(*)::int from (select ${from} ${max}) counted)`;
  const unsentFiles = (table: string) =>
    count(Prisma.sql`from mine join ${Prisma.raw(table)} u on u.conversation_id = mine.id
      cross join lateral jsonb_array_elements(u.attachments) f`);
  const [found] = await db.$queryRaw<Record<ErasureCount, number>[]>`
    with mine as materialized (
      select id from conversations c where c.workspace_id = ${workspaceId}::uuid
        and (c.contact_id = ${contactId}::uuid or c.linked_from_id = ${contactId}::uuid) ${max}
    ), written as materialized (
      select m.id, m.original_file_id from mine join messages m on m.conversation_id = mine.id ${max}
    )
    select (select count(*)::int from mine) as conversations, (select count(*)::int from written) as messages,
      ${count(Prisma.sql`from written w join attachments a on a.message_id = w.id`)}
        + ${count(Prisma.sql`from mine join notes n on n.conversation_id = mine.id join note_files f on f.note_id = n.id`)}
        + ${unsentFiles('reply_drafts')} + ${unsentFiles('pending_replies')}
        + (select count(original_file_id)::int from written) as files,
      ${count(Prisma.sql`from mine join notes n on n.conversation_id = mine.id`)} as notes,
      ${count(Prisma.sql`from mine join pending_replies p on p.conversation_id = mine.id`)} as scheduled,
      ${aliasIds.length}::int as "mergedContacts",
      ${count(Prisma.sql`from messages m where m.workspace_id = ${workspaceId}::uuid
        and m.author_address = any(${emails}::text[]) and m.conversation_id not in (select id from mine)`)} as elsewhere,
      (select count(*)::int from (
        select body from events where workspace_id = ${workspaceId}::uuid order by log_position desc, id desc
        limit ${READ_MAX}::int) v where ${names(Prisma.sql`v.body`)}) as events,
      (select count(*)::int from (
        select body from inbound_updates where workspace_id = ${workspaceId}::uuid order by received_at desc
        limit ${READ_MAX}::int) u where ${names(Prisma.sql`lower(encode(u.body, 'escape'))`)}) as updates,
      ${count(Prisma.sql`from audit_entries a where a.workspace_id = ${workspaceId}::uuid and (
        a.data ->> 'contactId' = any(${ids}::text[]) or a.data ->> 'intoId' = any(${ids}::text[])
        or a.data ->> 'sender' = any(${emails}::text[])
        or split_part(a.data ->> 'value', ':', -1) in (select external_id from contact_identities i
          where i.workspace_id = a.workspace_id and i.contact_id = ${contactId}::uuid and i.channel <> 'email'))`)} as "auditEntries"`;
  if (!found) throw new Error('A statement of counts returned no row.');
  // Beyond the counted conversations there are more of everything in them.
  const more = found.conversations > COUNTED_MAX;
  return {
    conversations: shown(found.conversations),
    messages: shown(found.messages, more),
    files: shown(found.files, more || found.messages > COUNTED_MAX),
    notes: shown(found.notes, more),
    scheduled: shown(found.scheduled, more),
    mergedContacts: shown(found.mergedContacts),
    elsewhere: shown(found.elsewhere, more),
    events: shown(found.events),
    updates: shown(found.updates),
    auditEntries: shown(found.auditEntries),
  };
}
