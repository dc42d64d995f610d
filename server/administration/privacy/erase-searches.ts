import { type ErasedKind, isOld } from '#server/administration/privacy/erase-statements.ts';
import { hasAddress, withoutRecipients } from '#server/administration/privacy/without-recipients.ts';

/**
 * A statement that erases among the next rows of the workspace for the erasure `e` of the holder `$1`, and stores its cursor: no
 * index finds the rows by what they contain. `cursor`: column of the erasure and the order of the rows. `limit`: rows that it
 * reads. `found`: condition on `r`. `ctes`: expressions that erase those of `read` that were found, `erased` returns them. Updates
 * no row when all were read.
 */
function search(
  table: string,
  which: {
    counts: ErasedKind;
    cursor: { column: string; by: string; none: string; max: string };
    limit: string;
    found: string;
    ctes: string;
  },
): string {
  const { counts, cursor, limit, found, ctes } = which;
  return `
    with read as materialized (
      select r.id, r.${cursor.by} as position, (${found}) as is_found from contact_erasures e
      cross join lateral (
        select * from ${table} t where t.workspace_id = e.workspace_id
          and t.${cursor.by} > coalesce(e.${cursor.column}, ${cursor.none})
        order by t.${cursor.by} ${limit}
      ) r where e.contact_id = $1
    ), ${ctes}
    update contact_erasures set ${cursor.column} = (select ${cursor.max} from read),
      counts = counts || jsonb_build_object('${counts}',
        coalesce((counts ->> '${counts}')::int, 0) + (select count(*)::int from erased))
    where contact_id = $1 and exists (select from read)`;
}

const byId = (column: string) => ({
  column,
  by: 'id',
  none: `'00000000-0000-0000-0000-000000000000'::uuid`,
  max: 'max(position::text)::uuid',
});

/** Condition: JSON has one of these texts as a string. */
function quotes(json: string, texts: string): string {
  return `exists (select from unnest(${texts}) as t (quoted) where strpos(${json}, '"' || t.quoted || '"') > 0)`;
}

/** Condition: JSON has one of these ids as a number. */
function numbers(json: string, ids: string): string {
  return `exists (select from unnest(${ids}) as t (id), unnest(array[',', '}', ']']) as after (sign)
    where strpos(${json}, ':' || t.id || after.sign) > 0)`;
}

/**
 * Deletes events about the contact, by the position in the log. Transactions record up to a few hundred with the same one. Lock
 * order everywhere: hooks by id, then deliveries, which a trigger deletes with their event, and with them their attempts.
 */
const SEARCH_EVENTS = search('events', {
  counts: 'events',
  cursor: { column: 'events_read_to', by: 'log_position', none: '-1', max: 'max(position)' },
  limit: 'fetch first 1000 rows with ties',
  found: `${isOld('r.created_at')} and (
      r.conversation_id = any(e.shared_ids) or ${quotes('r.body', 'e.contact_ids::text[] || e.emails')})
    or r.body::jsonb #>> '{conversation,id}' in (select c.id::text from conversations c where c.contact_id = $1)`,
  ctes: `locked_hooks as materialized (
      select id from hooks where id in (
        select d.hook_id from deliveries d join read on read.id = d.event_id where read.is_found)
      order by id for no key update
    ), erased as (
      delete from events where id in (select id from read where is_found) and (select count(*) from locked_hooks) >= 0
      returning id
    )`,
});

/** Deletes updates of providers. Those that failed may be another person's: they expire. A body can be a mail of many MB. */
const SEARCH_UPDATES = search('inbound_updates', {
  counts: 'updates',
  cursor: byId('updates_read_to'),
  limit: 'limit 100',
  found: `${isOld('r.processed_at')} and r.error is null and exists (
    select from lower(encode(r.body, 'escape')) as text (json)
    where ${quotes('text.json', 'e.emails || e.external_ids')} or ${numbers('text.json', 'e.external_ids')})`,
  ctes: 'erased as (delete from inbound_updates where id in (select id from read where is_found) returning 1)',
});

/**
 * Removes the contact's addresses from the recipients of messages in conversations of others, with what their timelines and
 * notifications say of these recipients.
 */
const SEARCH_RECIPIENTS = search('messages', {
  counts: 'mentions',
  cursor: byId('searched_to'),
  limit: 'limit 5000',
  found: `${isOld('r.created_at')} and (r.mail_to || r.cc || r.bcc || r.reply_to) && e.emails`,
  ctes: `erased as (
      update messages m set ${withoutRecipients('e.emails')}
      from contact_erasures e where e.contact_id = $1 and m.id in (select id from read where is_found)
      returning m.conversation_id
    ), reported as (
      delete from timeline_entries t using contact_erasures e where e.contact_id = $1 and ${isOld('t.created_at')}
        and t.conversation_id in (select conversation_id from erased) and ${hasAddress('t.data::text', 'e.emails')}
    ), told as (
      delete from notifications n using contact_erasures e where e.contact_id = $1 and ${isOld('n.created_at')}
        and n.conversation_id in (select conversation_id from erased) and ${hasAddress('n.data::text', 'e.emails')}
    )`,
});

/** Events first: none of them is sent any more. */
export const ERASE_SEARCHES = [SEARCH_EVENTS, SEARCH_UPDATES, SEARCH_RECIPIENTS];
