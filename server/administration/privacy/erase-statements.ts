import { BATCH } from '#server/administration/members/change-in-batches.ts';
import { without, withoutRecipients } from '#server/administration/privacy/without-recipients.ts';
import { EXPIRE_UNSENT_FILES } from '#server/inbox/files/expire-unsent-files.ts';
import { WITHOUT_CONTACT } from '#server/teammates/audit-log.ts';

/** What is counted for the receipt. */
export type ErasedKind =
  | 'messages'
  | 'files'
  | 'elsewhere'
  | 'mentions'
  | 'events'
  | 'updates'
  | 'auditEntries';

/**
 * Erases up to `BATCH` rows for the erasure `e` of the holder `$1`. `ctes`: common table expressions, of which `chosen` has the
 * rows and `erased` those that no other worker erased first.
 */
export type EraseStatement = { counts: ErasedKind | null; ctes: string };

const ERASURE = 'contact_erasures e where e.contact_id = $1';
/** Condition: a row is older than the deletion of the contact. What is newer may be a new contact's, with the same addresses. */
export const isOld = (time: string) => `${time} <= e.started_at`;
const HELD = 'conversations c where c.contact_id = $1';
const HELD_MESSAGES = 'conversations c join messages m on m.conversation_id = c.id where c.contact_id = $1';

/** Messages of a shared conversation that are the contact's, were sent only to them, or forward what they wrote. */
const OF_CONTACT = `m.direction = 'forward'
  or m.direction = 'inbound' and (m.author_address is null or m.author_address = any(e.own_emails))
  or m.direction = 'outbound' and not exists (
    select from unnest(m.mail_to || m.cc || m.bcc) as r (address) where r.address <> all(e.own_emails))`;
const SHARED_MESSAGES = `contact_erasures e join messages m on m.conversation_id = any(e.shared_ids)
  and ${isOld('m.created_at')} and (${OF_CONTACT}) where e.contact_id = $1`;
const ELSEWHERE = `contact_erasures e join messages m on m.workspace_id = e.workspace_id and m.author_address = any(e.emails)
  and ${isOld('m.created_at')} where e.contact_id = $1`;

function deleteRows(table: string, ids: string): string {
  return `chosen as materialized (${ids} limit ${BATCH}),
    erased as (delete from ${table} where id in (select id from chosen) returning 1)`;
}

/** Deletes messages with their samples, and with the notifications that name their authors. */
function deleteMessages(from: string): string {
  return `
    chosen as materialized (select m.id, m.conversation_id from ${from} limit ${BATCH}),
    erased as (delete from messages where id in (select id from chosen) returning 1),
    sampled as (
      delete from samples s using chosen c where s.conversation_id = c.conversation_id and s.subject_id = c.id
    ),
    announced as (
      delete from notifications n using chosen c where n.conversation_id = c.conversation_id and n.data ->> 'messageId' = c.id::text
    )`;
}

function deleteFiles(from: string): string {
  return deleteRows(
    'attachments',
    `select a.id from attachments a where a.message_id in (select m.id from ${from})`,
  );
}

/** Deletes or updates old rows of the workspace that a condition on `r` and `e` finds. */
function ofWorkspace(table: string, condition: string, set?: string): string {
  const time = table === 'samples' ? 'r.occurred_at' : 'r.created_at';
  const change =
    set === undefined
      ? `delete from ${table} where ctid in (select at from chosen)`
      : `update ${table} r set ${set} from ${ERASURE} and r.ctid in (select at from chosen)`;
  return `chosen as materialized (
      select r.ctid as at from contact_erasures e join ${table} r on r.workspace_id = e.workspace_id
      where e.contact_id = $1 and ${isOld(time)} and (${condition}) limit ${BATCH}
    ), erased as (${change} returning 1)`;
}

/** What others wrote in a shared conversation keeps its text, without the mail that it came in, which quotes. */
const REDACT = `
  chosen as materialized (
    select m.id, m.original_file_id from contact_erasures e join messages m on m.conversation_id = any(e.shared_ids)
    where e.contact_id = $1 and ${isOld('m.created_at')} and (m.html is not null or m.full_content is not null or m.invitation is not null
      or m.context is not null or m.original_file_id is not null
      or (m.mail_to || m.cc || m.bcc || m.reply_to || m.undelivered_to) && e.own_emails)
    limit ${BATCH}
  ), expired as (
    update stored_files set expires_at = now() where id in (select original_file_id from chosen)
  ), erased as (
    update messages m set html = null, full_content = null, invitation = null, context = null, original_file_id = null,
      ${withoutRecipients('e.own_emails')}
    from ${ERASURE} and m.id in (select id from chosen) returning m.id
  )`;

const HELD_NOTES = 'conversations c join notes n on n.conversation_id = c.id where c.contact_id = $1';
const SHARED_NOTES = `contact_erasures e join notes n on n.conversation_id = any(e.shared_ids)
  and ${isOld('n.created_at')} where e.contact_id = $1`;

function deleteNoteFiles(from: string): string {
  return deleteRows(
    'note_files',
    `select f.id from note_files f where f.note_id in (select n.id from ${from})`,
  );
}

/** Files that were uploaded for drafts and waiting replies. Their rows are deleted later, so no trigger expires the files. */
const UNSENT_FILES = `
  unsent as materialized (
    select d.attachments from conversations c join reply_drafts d on d.conversation_id = c.id where c.contact_id = $1
    union all
    select p.attachments from conversations c join pending_replies p on p.conversation_id = c.id where c.contact_id = $1
    union all
    select d.attachments from contact_erasures e join reply_drafts d on d.conversation_id = any(e.shared_ids)
      and ${isOld('d.created_at')} where e.contact_id = $1
  ), erased as (${EXPIRE_UNSENT_FILES}), chosen as (select from erased)`;

const IN_CONVERSATION = [
  'notes',
  'timeline_entries',
  'ratings',
  'command_runs',
  'reply_drafts',
  'suggested_replies',
  'contact_offers',
  'samples',
  'notifications',
];

/** The value of a blocked person on a chat channel ends with their id there. Entries of older versions have only the label. */
const isOfPerson = (value: string) => `split_part(${value}, ':', -1) = any(e.external_ids)`;
const NAMED_IN_AUDIT = `r.data ->> 'sender' = any(e.emails) or ${isOfPerson(`r.data ->> 'value'`)}
  or exists (select from blocked_senders b where b.workspace_id = r.workspace_id and b.label = r.data ->> 'sender' and ${isOfPerson('b.value')})
  or r.data ->> 'contactName' <> '(erased)' and (
    r.data ->> 'contactId' = any(e.contact_ids::text[]) or r.data ->> 'intoId' = any(e.contact_ids::text[]))`;

export const ERASE_STATEMENTS: readonly EraseStatement[] = [
  { counts: 'files', ctes: deleteFiles(HELD_MESSAGES) },
  { counts: 'messages', ctes: deleteMessages(HELD_MESSAGES) },
  { counts: 'files', ctes: deleteFiles(SHARED_MESSAGES) },
  { counts: 'messages', ctes: deleteMessages(SHARED_MESSAGES) },
  { counts: null, ctes: REDACT },
  { counts: 'files', ctes: deleteNoteFiles(HELD_NOTES) },
  { counts: 'files', ctes: deleteNoteFiles(SHARED_NOTES) },
  { counts: 'files', ctes: UNSENT_FILES },
  ...IN_CONVERSATION.map((table) => ({
    counts: null,
    ctes: ofWorkspace(table, 'r.conversation_id = any(e.shared_ids)'),
  })),
  {
    counts: null,
    ctes: ofWorkspace(
      'conversation_field_values',
      'r.conversation_id = any(e.shared_ids) and r.choice_id is null',
    ),
  },
  { counts: 'files', ctes: deleteFiles(ELSEWHERE) },
  { counts: 'elsewhere', ctes: deleteMessages(ELSEWHERE) },
  { counts: null, ctes: ofWorkspace('reactions', 'r.author = any(e.emails || e.external_ids)') },
  { counts: null, ctes: ofWorkspace('contact_offers', 'r.email = any(e.emails)') },
  { counts: null, ctes: ofWorkspace('outbox_messages', '(r.recipients || r.cc || r.bcc) && e.emails') },
  {
    counts: null,
    ctes: ofWorkspace(
      'conversations',
      'r.reply_to && e.emails',
      `reply_to = ${without('r.reply_to', 'e.emails')}, uses_reply_to = false`,
    ),
  },
  {
    counts: null,
    ctes: ofWorkspace(
      'reply_drafts',
      'lower((r.cc || r.bcc || array[r.answers])::text)::text[] && e.emails',
      `cc = ${without('r.cc', 'e.emails')}, bcc = ${without('r.bcc', 'e.emails')},
        answers = case when lower(r.answers) <> all(e.emails) then r.answers end`,
    ),
  },
  { counts: 'auditEntries', ctes: ofWorkspace('audit_entries', NAMED_IN_AUDIT, WITHOUT_CONTACT) },
  {
    counts: null,
    ctes: ofWorkspace('blocked_senders', `r.label is not null and ${isOfPerson('r.value')}`, 'label = null'),
  },
];

/** Deletes the conversations, last: events are found by them, and messages were deleted in batches. */
export const DELETE_CONVERSATIONS: EraseStatement = {
  counts: null,
  ctes: deleteRows('conversations', `select c.id from ${HELD}`),
};
