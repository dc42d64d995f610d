import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { addTimelineEntries, type TimelineContent } from '#server/inbox/conversations/timeline.ts';
import { EXPIRE_UNSENT_FILES } from '#server/inbox/files/expire-unsent-files.ts';

/** Replaces each text of a person. */
const ANONYMIZED = '(anonymized)';

/** Whether timeline entries of a kind remain. The others name the contact. */
const REMAINS: Record<TimelineContent['kind'], boolean> = {
  created: true,
  assigned: true,
  nobody_available: true,
  unassigned: true,
  status_changed: true,
  priority_changed: true,
  team_set: true,
  team_removed: true,
  tagged: true,
  untagged: true,
  rated: true,
  sla_breached: true,
  introduced: false,
  snoozed: true,
  snooze_cancelled: true,
  snooze_ended: true,
  agent_silenced: true,
  agent_resumed: true,
  contact_linked: false,
  contact_unlinked: true,
  contact_set: false,
  contact_set_undone: true,
  verification_sent: false,
  address_verified: false,
  reply_address_set: false,
  merged: true,
  merged_here: true,
  merge_undone: true,
  merge_undone_here: true,
  delivery_reported: false,
  field_set: false,
  marked_spam: true,
  deleted: true,
  restored: true,
  anonymized: true,
  flow_stopped: true,
};
const REMAINING = Object.entries(REMAINS).flatMap(([kind, remains]) => (remains ? [kind] : []));

/** Tables whose rows of a conversation are deleted. */
const DELETED = [
  'mail_references',
  'samples',
  'reply_drafts',
  'suggested_replies',
  'contact_offers',
  'notifications',
];

/**
 * Anonymizes a locked conversation with those that were merged into it (docs/privacy.md). The contact, its names and addresses, texts,
 * files and original emails go. Times, status, assignee, team, tags, chosen custom fields, scores and the teammates who wrote remain, so that numbers stay the
 * same. From then on, a message of the contact starts another conversation. Emits no event.
 */
export async function anonymizeConversation(
  tx: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> {
  const found = await tx.$queryRaw<{ id: string }[]>`
    select id from conversations where workspace_id = ${workspaceId}::uuid
      and (id = ${id}::uuid or merged_into_id = ${id}::uuid) order by id`;
  const ids = found.map((each) => each.id);
  const ofMessages = Prisma.sql`message_id in (select id from messages where conversation_id = any(${ids}::uuid[]))`;
  await tx.$executeRaw`delete from attachments where ${ofMessages}`;
  await tx.$executeRaw`delete from reactions where ${ofMessages}`;
  await tx.$executeRaw`delete from message_parts where ${ofMessages}`;
  await tx.$executeRaw`
    with unsent as (select attachments from reply_drafts where conversation_id = any(${ids}::uuid[]))
    ${Prisma.raw(EXPIRE_UNSENT_FILES)}`;
  for (const table of DELETED)
    await tx.$executeRaw`delete from ${Prisma.raw(table)} where conversation_id = any(${ids}::uuid[])`;
  await tx.$executeRaw`
    update stored_files set expires_at = now() where id in (
      select original_file_id from messages where conversation_id = any(${ids}::uuid[]))`;
  await tx.$executeRaw`
    update messages set content = case when content = '' then '' else ${ANONYMIZED} end, formatted = null,
      author_name = case when author_kind = 'contact' then null else author_name end, author_address = null,
      html = null, sender_checks = null, trimmed = false, full_content = null, invitation = null, context = null, template = null,
      delivery_error = null, external_id = null, provider_ids = '{}', original_file_id = null,
      mail_to = '{}', reply_to = '{}', cc = '{}', bcc = '{}', undelivered_to = '{}'
    where conversation_id = any(${ids}::uuid[])`;
  await tx.$executeRaw`
    delete from note_versions where note_id in (select id from notes where conversation_id = any(${ids}::uuid[]))`;
  await tx.$executeRaw`
    delete from note_files where note_id in (select id from notes where conversation_id = any(${ids}::uuid[]))`;
  await tx.$executeRaw`
    update notes set content = case when content = '' then '' else ${ANONYMIZED} end, formatted = null, edited_at = null
    where conversation_id = any(${ids}::uuid[]) and deleted_at is null`;
  await tx.$executeRaw`update ratings set comment = null where conversation_id = any(${ids}::uuid[])`;
  await tx.$executeRaw`update command_runs set arguments = '' where conversation_id = any(${ids}::uuid[])`;
  await tx.$executeRaw`update visitors set conversation_id = null where conversation_id = any(${ids}::uuid[])`;
  // Choices are words of the workspace, as tags. Texts, numbers and dates can be about the contact.
  await tx.$executeRaw`
    delete from conversation_field_values where conversation_id = any(${ids}::uuid[]) and choice_id is null`;
  await anonymizeTimeline(tx, ids);
  const now = new Date();
  await tx.$executeRaw`
    update conversations set subject = null, contact_id = null, linked_from_id = null, contact_claimed = false,
      external_thread_id = null, reply_to = '{}', uses_reply_to = false, anonymized_at = ${now}::timestamptz,
      updated_at = ${now}::timestamptz
    where id = any(${ids}::uuid[])`;
  await addTimelineEntries(tx, {
    workspaceId,
    conversationId: id,
    actor: { kind: 'automatic' },
    entries: [{ kind: 'anonymized', data: {} }],
    now,
  });
}

async function anonymizeTimeline(tx: SqlDb, ids: string[]): Promise<void> {
  await tx.$executeRaw`
    delete from timeline_entries where conversation_id = any(${ids}::uuid[]) and kind <> all(${REMAINING}::text[])`;
  await tx.$executeRaw`
    update timeline_entries set
      actor_id = case when actor_kind = 'contact' then null else actor_id end,
      actor_name = case when actor_kind = 'contact' then null else actor_name end,
      data = case when kind = 'rated' then data || '{"comment": null}' else data end
    where conversation_id = any(${ids}::uuid[]) and (actor_kind = 'contact' or kind = 'rated')`;
}
