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
    if (change.entries.length > 0) await writeChange(tx, conversation, { actor, change, now });
    return getConversationRecord(tx, { workspaceId, conversationId: id });
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
  const added = await insertTags(tx, conversation, { tags, now });
  if (added.length === 0) return changeOf();
  const taggingId = await insertTagging(tx, conversation, { added, actor, now });
  const names = added.map(({ name }) => name);
  return changeOf({
    entries: [{ kind: 'tagged', data: { tags: names } }],
    events: [{ key: 'conversation.tagged', subjectId: taggingId, details: { added_tags: names } }],
  });
}

type Tag = { key: string; name: string; position: number };

/** Inserts those tags that the conversation does not have, and returns them in the order given. */
async function insertTags(
  tx: Tx,
  { id: conversationId, workspaceId }: LockedConversation,
  { tags, now }: { tags: string[]; now: Date },
): Promise<Tag[]> {
  const data = tags.map((name, position) => ({
    conversationId,
    workspaceId,
    key: name.toLowerCase(),
    name,
    position,
    createdAt: now,
  }));
  const added = await tx.conversationTag.createManyAndReturn({
    data,
    select: { key: true, name: true, position: true },
    skipDuplicates: true,
  });
  return added.sort((a, b) => a.position - b.position);
}

/** Keeps what was added as one act. */
async function insertTagging(
  tx: Tx,
  { id: conversationId, workspaceId }: LockedConversation,
  { added, actor, now }: { added: Tag[]; actor: Actor; now: Date },
): Promise<string> {
  const { id } = await tx.tagging.create({
    data: { workspaceId, conversationId, actorKind: actor.kind, createdAt: now },
    select: { id: true },
  });
  await tx.taggingTag.createMany({
    data: added.map(({ key, name }, position) => ({
      taggingId: id,
      workspaceId,
      key,
      name,
      position,
      createdAt: now,
    })),
  });
  return id;
}
