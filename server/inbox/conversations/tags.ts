import { v7 as uuidv7 } from 'uuid';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { tagKey } from '#server/contract/tag-key.ts';
import type { Planned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { planChange } from '#server/inbox/conversations/persist-change.ts';
import type { Actor } from '#server/teammates/actor.ts';

type TagChange = { workspaceId: string; id: string; actor: Actor; tags: string[] };

/**
 * Adds tags to a conversation. Skips existing tags, ignoring case, which keep their spelling (docs/spec.md §4.2, POST
 * tags). Emits `conversation.tagged` with the new tags, if any.
 * @param tags trimmed, non-empty and unique, ignoring case
 * @throws Refusal when the conversation does not exist, is spam or deleted, or was merged
 */
export async function addTags(tx: SqlDb, change: TagChange): Promise<Planned<ConversationRecord>> {
  const { actor, tags } = change;
  const conversation = await lockForChange(tx, change);
  const now = new Date();
  return planChange(conversation, { actor, change: tag(conversation, { tags, actor, now }), now });
}

/**
 * Removes tags from a conversation, ignoring case. Skips unknown tags. Adds a timeline entry and emits
 * `conversation.tag_removed`, which only programs get.
 * @throws Refusal when the conversation does not exist, is spam or deleted, or was merged
 */
export async function removeTags(tx: SqlDb, change: TagChange): Promise<Planned<ConversationRecord>> {
  const { actor, tags } = change;
  const conversation = await lockForChange(tx, change);
  return planChange(conversation, { actor, change: untag(conversation, tags), now: new Date() });
}

/** Returns the change of `addTags`. It is empty if the conversation has all the tags. */
export function tag(
  { id, workspaceId, record }: LockedConversation,
  { tags, actor, now }: { tags: string[]; actor: Actor; now: Date },
): Change {
  const present = new Set(record.tags.map(tagKey));
  const added = tags.flatMap((name, position) => {
    const key = tagKey(name);
    return present.has(key) ? [] : [{ key, name, position }];
  });
  if (added.length === 0) return changeOf();
  const taggingId = uuidv7();
  const names = added.map(({ name }) => name);
  const rows = Prisma.sql`jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as t (key text, name text, position int)`;
  return changeOf({
    record: { tags: [...record.tags, ...names] },
    entries: [{ kind: 'tagged', data: { tags: names } }],
    events: [{ key: 'conversation.tagged', subjectId: taggingId, details: { added_tags: names } }],
    rows: [
      Prisma.sql`
        insert into conversation_tags (conversation_id, workspace_id, key, name, position, created_at)
        select ${id}::uuid, ${workspaceId}::uuid, t.key, t.name, t.position, ${now}::timestamptz from ${rows}`,
      // Samples show the tags that were added in one call.
      Prisma.sql`
        insert into taggings (id, workspace_id, conversation_id, actor_kind, created_at)
        values (${taggingId}::uuid, ${workspaceId}::uuid, ${id}::uuid, ${actor.kind}::actor_kind, ${now}::timestamptz)`,
      Prisma.sql`
        insert into tagging_tags (tagging_id, workspace_id, key, name, position, created_at)
        select ${taggingId}::uuid, ${workspaceId}::uuid, t.key, t.name, row_number() over (order by t.position) - 1,
          ${now}::timestamptz
        from ${rows}`,
    ],
  });
}

/** Returns the change of `removeTags`. It is empty if the conversation has none of the tags. */
export function untag({ id, record }: LockedConversation, tags: string[]): Change {
  const keys = tags.map(tagKey);
  const removed = record.tags.filter((name) => keys.includes(tagKey(name)));
  if (removed.length === 0) return changeOf();
  return changeOf({
    record: { tags: record.tags.filter((name) => !removed.includes(name)) },
    entries: [{ kind: 'untagged', data: { tags: removed } }],
    events: [{ key: 'conversation.tag_removed', details: { removed_tags: removed } }],
    rows: [
      Prisma.sql`delete from conversation_tags where conversation_id = ${id}::uuid and key = any (${keys}::text[])`,
    ],
  });
}
