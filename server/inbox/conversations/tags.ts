import { v7 as uuidv7 } from 'uuid';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { changeConversation, writeChange } from '#server/inbox/conversations/apply-change.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import type { KnownConversation } from '#server/inbox/conversations/conversation-record.ts';
import {
  type LockedConversation,
  withLockedConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import type { Actor } from '#server/teammates/actor.ts';

/**
 * Adds tags to a conversation. Those it has already, without regard to case, are skipped and keep their spelling
 * (spec.md §4.2, POST tags). Emits `conversation.tagged` with the new ones, if there are any.
 * @param tags trimmed, not empty, no two the same without regard to case
 * @throws Refusal when there is no such conversation or it was merged
 */
export function addTags(given: {
  workspaceId: string;
  id: string;
  actor: Actor;
  tags: string[];
}): Promise<ConversationRecord> {
  const { actor, tags } = given;
  return changeConversation(given, (conversation, now) => {
    const change = tag(conversation, { tags, actor, now });
    return change.entries.length > 0 ? change : undefined;
  });
}

/** Adds tags to a conversation as `addTags` does; nothing when it has them all. */
export function tag(
  { id, workspaceId, tags: present }: Pick<KnownConversation, 'id' | 'workspaceId' | 'tags'>,
  { tags, actor, now }: { tags: string[]; actor: Actor; now: Date },
): Change {
  const known = new Set(present.map((name) => name.toLowerCase()));
  const added = tags.flatMap((name, position) => {
    const key = name.toLowerCase();
    return known.has(key) ? [] : [{ key, name, position }];
  });
  if (added.length === 0) return changeOf();
  const taggingId = uuidv7();
  const names = added.map(({ name }) => name);
  return changeOf({
    entries: [{ kind: 'tagged', data: { tags: names } }],
    events: [{ key: 'conversation.tagged', subjectId: taggingId, details: { added_tags: names } }],
    rows: tagRows({ id, workspaceId, taggingId, added: JSON.stringify(added), actor, now }),
    addedTags: names,
  });
}

/** The tags, and what was added as one act. */
function tagRows({
  id,
  workspaceId,
  taggingId,
  added,
  actor,
  now,
}: {
  id: string;
  workspaceId: string;
  taggingId: string;
  added: string;
  actor: Actor;
  now: Date;
}): NonNullable<Change['rows']> {
  return [
    (when) => Prisma.sql`
      insert into conversation_tags (conversation_id, workspace_id, key, name, position, created_at)
      select ${id}::uuid, ${workspaceId}::uuid, t.key, t.name, t.position, ${now}::timestamptz
      from jsonb_to_recordset(${added}::jsonb) as t (key text, name text, position int)
      where ${when}`,
    (when) => Prisma.sql`
      insert into taggings (id, workspace_id, conversation_id, actor_kind, created_at)
      select ${taggingId}::uuid, ${workspaceId}::uuid, ${id}::uuid, ${actor.kind}::actor_kind, ${now}::timestamptz
      where ${when}`,
    (when) => Prisma.sql`
      insert into tagging_tags (tagging_id, workspace_id, key, name, position, created_at)
      select ${taggingId}::uuid, ${workspaceId}::uuid, t.key, t.name, row_number() over (order by t.position) - 1,
        ${now}::timestamptz
      from jsonb_to_recordset(${added}::jsonb) as t (key text, name text, position int)
      where ${when}`,
  ];
}

/**
 * Takes tags from a conversation, without regard to case; those it does not have are passed over, and without any
 * nothing changes. It is in the timeline but emits no event: the contract has none.
 * @throws Refusal when there is no such conversation or it was merged
 */
export async function removeTags(given: {
  workspaceId: string;
  id: string;
  actor: Actor;
  tags: string[];
}): Promise<void> {
  const { workspaceId, id, actor, tags } = given;
  await withLockedConversation({ workspaceId, id }, async (tx, conversation) => {
    const removed = await deleteTags(tx, conversation, tags);
    if (removed.length === 0) return;
    const change = changeOf({ entries: [{ kind: 'untagged', data: { tags: removed } }] });
    await writeChange(tx, conversation, { actor, change, now: new Date() });
  });
}

/** Deletes the tags and returns them as they were spelled, in the order in which they were added. */
async function deleteTags(
  tx: Tx,
  { id: conversationId }: LockedConversation,
  tags: string[],
): Promise<string[]> {
  const where = { conversationId, key: { in: tags.map((tag) => tag.toLowerCase()) } };
  // A change of tags holds the conversation's row, so nothing comes between the two statements.
  const found = await tx.conversationTag.findMany({
    where,
    select: { name: true },
    orderBy: [{ createdAt: 'asc' }, { position: 'asc' }],
  });
  await tx.conversationTag.deleteMany({ where });
  return found.map(({ name }) => name);
}
