import { v7 as uuidv7 } from 'uuid';
import type { ConversationRecord } from '#server/contract/records/record-schemas.ts';
import type { Tx } from '#server/ground/db.ts';
import { type Change, changeOf } from '#server/inbox/conversations/change.ts';
import { getConversationRecord } from '#server/inbox/conversations/conversation-record.ts';
import {
  type LockedConversation,
  withLockedConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import { writeChange } from '#server/inbox/conversations/write-change.ts';
import type { Actor } from '#server/people/teammates/actor.ts';

/**
 * Adds tags to a conversation. Those it has already, without regard to case, are skipped and keep their spelling
 * (spec.md §4.2, POST tags). Emits `conversation.tagged` with the new ones, if there are any.
 * @param tags trimmed, not empty, no two the same without regard to case
 * @throws Refusal when there is no such conversation or it was merged
 */
export async function addTags(given: {
  workspaceId: string;
  id: string;
  actor: Actor;
  tags: string[];
}): Promise<ConversationRecord> {
  const { workspaceId, id, actor, tags } = given;
  return withLockedConversation({ workspaceId, id, actor }, async (tx, conversation) => {
    const now = new Date();
    const change = await tag(tx, conversation, { tags, actor, now });
    const record =
      change.entries.length > 0 ? await writeChange(tx, conversation, { actor, change, now }) : undefined;
    return record ?? getConversationRecord(tx, { workspaceId, conversationId: id });
  });
}

/**
 * Adds tags to a locked conversation in a given transaction, as `addTags` does.
 * @returns what is still to be written of it by `writeChange`; nothing when it has them all
 */
export async function tag(
  tx: Tx,
  conversation: LockedConversation,
  { tags, actor, now }: { tags: string[]; actor: Actor; now: Date },
): Promise<Change> {
  const { names, taggingId } = await insertTags(tx, conversation, { tags, actor, now });
  if (names.length === 0) return changeOf();
  return changeOf({
    entries: [{ kind: 'tagged', data: { tags: names } }],
    events: [{ key: 'conversation.tagged', subjectId: taggingId, details: { added_tags: names } }],
  });
}

/** Inserts those tags that the conversation does not have, and keeps what was added as one act. One round trip. */
async function insertTags(
  tx: Tx,
  { id: conversationId, workspaceId }: LockedConversation,
  { tags, actor, now }: { tags: string[]; actor: Actor; now: Date },
): Promise<{ names: string[]; taggingId: string }> {
  const taggingId = uuidv7();
  const rows = JSON.stringify(tags.map((name, position) => ({ key: name.toLowerCase(), name, position })));
  const added = await tx.$queryRaw<{ name: string }[]>`
    with added as (
      insert into conversation_tags (conversation_id, workspace_id, key, name, position, created_at)
      select ${conversationId}::uuid, ${workspaceId}::uuid, t.key, t.name, t.position, ${now}::timestamptz
      from jsonb_to_recordset(${rows}::jsonb) as t (key text, name text, position int)
      on conflict do nothing
      returning key, name, position
    ), tagging as (
      insert into taggings (id, workspace_id, conversation_id, actor_kind, created_at)
      select ${taggingId}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, ${actor.kind}::actor_kind, ${now}::timestamptz
      where exists (select from added)
    ), kept as (
      insert into tagging_tags (tagging_id, workspace_id, key, name, position, created_at)
      select ${taggingId}::uuid, ${workspaceId}::uuid, key, name, row_number() over (order by position) - 1, ${now}::timestamptz
      from added
    )
    select name from added order by position`;
  return { names: added.map(({ name }) => name), taggingId };
}
