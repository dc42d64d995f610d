import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { recordForMany } from '#server/inbox/conversations/record-for-many.ts';
import { timelineRowsOfMany } from '#server/inbox/conversations/timeline.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { findActor } from '#server/teammates/find-actor.ts';

/** A tag, and the one that conversations get in its place; null for none. Equal keys change its spelling. */
export type Replacement = {
  workspaceId: string;
  key: string;
  name: string;
  into: { key: string; name: string } | null;
};

/** Conversations per transaction, so that none holds its locks for long. */
const BATCH = 1_000;
/** Time limit of one job in ms; another job continues after that. */
const TIME_LIMIT_MS = 10_000;

/** Replaces a tag at up to a thousand conversations now. A job does the rest. */
export async function startReplacing(tx: Tx, replacement: Replacement, by: Teammate): Promise<void> {
  const { workspaceId, key, name, into } = replacement;
  const changed = await replaceBatch(tx, {
    replacement,
    actor: { kind: 'teammate', teammate: by },
    now: new Date(),
  });
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
  if (changed < BATCH) return;
  const { id } = await tx.tagReplacement.create({
    data: { workspaceId, key, name, newKey: into?.key ?? null, newName: into?.name ?? null, byId: by.id },
    select: { id: true },
  });
  await queueJob(tx, 'replace-tag', { replacementId: id });
}

/**
 * Replaces a tag at the remaining conversations. Continues in another job after the time limit, and can run again at any
 * time.
 */
export async function continueReplacing(
  { replacementId }: { replacementId: string },
  timeLimitMs: number = TIME_LIMIT_MS,
): Promise<void> {
  const until = performance.now() + timeLimitMs;
  const row = await db().tagReplacement.findUnique({ where: { id: replacementId } });
  if (!row) return;
  const { workspaceId, key, name, newKey, newName } = row;
  const into = newKey === null || newName === null ? null : { key: newKey, name: newName };
  const actor = await findActor(row.byId);
  for (;;) {
    const changed = await inTransaction(async (tx) => {
      const count = await replaceBatch(tx, {
        replacement: { workspaceId, key, name, into },
        actor,
        now: new Date(),
      });
      if (count < BATCH) await tx.tagReplacement.deleteMany({ where: { id: replacementId } });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
      return count;
    });
    if (changed < BATCH) return;
    if (performance.now() > until) break;
  }
  await inTransaction((tx) => queueJob(tx, 'replace-tag', { replacementId }));
}

/**
 * Replaces a tag at conversations that have it, and records `conversation.tag_removed`, which only programs get, with the new tags.
 * A deleted tag leaves a timeline entry; a new name does not, and earlier entries keep the old one. The platform's
 * workflows are not started: nobody tagged a conversation. Locks the conversations in the order of their ids, to avoid deadlocks.
 * @returns the number of changed conversations, at most `BATCH`
 */
async function replaceBatch(
  tx: Tx,
  { replacement, actor, now }: { replacement: Replacement; actor: Actor; now: Date },
): Promise<number> {
  const { workspaceId, key, name, into } = replacement;
  const isTagged = Prisma.sql`t.workspace_id = ${workspaceId}::uuid and t.key = ${key}
    and t.name is distinct from ${into?.key === key ? into.name : null}`;
  const taken = Prisma.sql`taken as materialized (
    select c.id, c.merged_into_id is null as is_shown from conversations c
    where c.workspace_id = ${workspaceId}::uuid
      and c.id in (select t.conversation_id from conversation_tags t where ${isTagged} limit ${BATCH}::int)
    order by c.id
    for no key update
  ), noticed as (
    update conversations c set updated_at = ${now} from taken where c.id = taken.id
  )`;
  if (into?.key === key) {
    return tx.$executeRaw`
      with ${taken}
      update conversation_tags t set name = ${into.name} from taken where t.conversation_id = taken.id and t.key = ${key}`;
  }
  const added =
    into === null
      ? timelineRowsOfMany(
          { workspaceId, actor, now, entry: { kind: 'untagged', data: { tags: [name] } } },
          Prisma.sql`taken where is_shown and id in (select conversation_id from removed)`,
        )
      : Prisma.sql`
          insert into conversation_tags (conversation_id, workspace_id, key, name, position, created_at)
          select conversation_id, ${workspaceId}::uuid, ${into.key}, ${into.name}, position, created_at from removed
          on conflict (conversation_id, key) do nothing`;
  const changed = await tx.$queryRaw<{ id: string; wasTagged: boolean }[]>`
    with ${taken}, removed as (
      delete from conversation_tags t using taken where t.conversation_id = taken.id and t.key = ${key}
      returning t.conversation_id, t.position, t.created_at
    ), added as (${added})
    select id, exists (select from removed where conversation_id = taken.id) as "wasTagged" from taken`;
  await recordForMany(tx, {
    workspaceId,
    actor,
    now,
    ids: changed.flatMap(({ id, wasTagged }) => (wasTagged ? [id] : [])),
    eventOf: (conversation) => ({
      key: 'conversation.tag_removed',
      payload: { conversation, removed_tags: [name] },
    }),
  });
  return changed.length;
}
