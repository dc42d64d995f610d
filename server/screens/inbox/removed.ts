import { z } from 'zod';
import { keyInput } from '#server/contract/text-input.ts';
import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { notFound } from '#server/core/errors.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { BlockedKind, Removal } from '#server/generated/prisma/enums.ts';
import { unblock } from '#server/inbox/blocked-senders/block-sender.ts';
import { listBlockChoices, markSpamAndBlock } from '#server/inbox/blocked-senders/mark-spam-and-block.ts';
import {
  RESTORE_DAYS,
  removeConversation,
  restoreConversation,
} from '#server/inbox/conversations/removal.ts';
import { isVisibleById } from '#server/inbox/conversations/visible-conversations.ts';
import { inboxRows } from '#server/screens/inbox/inbox-rows.ts';
import type { DeletionPreview, RemovedPage } from '#server/screens/inbox/views.ts';
import { adminProcedure, agentProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

const which = z.object({ id: z.guid() });
const page = z.object({ cursor: keyInput.optional() });

/** Spam and deleted conversations. Owners and admins delete conversations and see deleted ones. */
export const removedScreens = screenRouter({
  listSpam: screenProcedure
    .input(page)
    .query(({ ctx: { workspace }, input: { cursor } }) =>
      listRemoved(db(), { workspace, kind: 'spam', cursor }),
    ),
  listDeleted: adminProcedure
    .input(page)
    .query(({ ctx: { workspace }, input: { cursor } }) =>
      listRemoved(db(), { workspace, kind: 'deleted', cursor }),
    ),
  /** Returns the senders of a conversation that can be blocked. */
  blockChoices: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which)
    .query(async ({ ctx: { workspace }, input: { id } }) => {
      const choices = await listBlockChoices(db(), { workspaceId: workspace.id, id });
      // A person can have two ids on a chat channel, which are blocked together.
      const byKind = new Map(choices.map((choice) => [choice.kind, choice]));
      return [...byKind.values()].map(({ kind, value, label }) => ({
        kind,
        name: label ?? shownEmail(value),
      }));
    }),
  /**
   * Marks a conversation as spam, and blocks its sender if `block` names a kind, also of one that is spam already. Returns
   * the ids of new entries.
   */
  markSpam: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which.extend({ block: z.enum(BlockedKind).nullable() }))
    .mutation(async ({ ctx: { workspace, actor }, input: { id, block } }) => {
      const which = { workspaceId: workspace.id, id };
      if (block) return markSpamAndBlock({ ...which, actor, kind: block });
      await removeConversation({ ...which, actor, to: 'spam' });
      return [];
    }),
  markNotSpam: agentProcedure
    .meta({ names: { id: 'conversation' } })
    .input(which)
    .mutation(async ({ ctx: { workspace, actor }, input: { id } }) => {
      await restoreConversation({ workspaceId: workspace.id, id, actor, from: 'spam' });
    }),
  /** Undoes a block by the ids that `markSpam` returned. Agents know no other ids. */
  unblock: agentProcedure
    .input(z.object({ blocked: z.array(z.guid()).max(20) }))
    .mutation(async ({ ctx: { workspace, user }, input: { blocked } }) => {
      for (const id of blocked) await unblock({ workspaceId: workspace.id, id, by: user });
    }),
  previewDeletion: adminProcedure
    .input(which)
    .query(({ ctx: { workspace }, input: { id } }) =>
      previewDeletion(db(), { workspaceId: workspace.id, id }),
    ),
  delete: adminProcedure.input(which).mutation(({ ctx: { workspace, user }, input: { id } }) => {
    const actor = { kind: 'teammate' as const, teammate: user };
    return removeConversation({ workspaceId: workspace.id, id, actor, to: 'deleted' });
  }),
  undelete: adminProcedure.input(which).mutation(({ ctx: { workspace, user }, input: { id } }) => {
    const actor = { kind: 'teammate' as const, teammate: user };
    return restoreConversation({ workspaceId: workspace.id, id, actor, from: 'deleted' });
  }),
});

const PAGE_ROWS = 50;
/** Conversations that are checked for one page of a limited view. */
const LIMITED_SCAN = 500;

type Position = LogCursor & { removedAt: Date; byName: string | null; isSeen: boolean; isLast: boolean };

/**
 * Returns a page of the spam or deleted conversations that a teammate sees, newest removal first. Conversations that are being erased
 * are not among them: they are in test mode. Reads one range of the index `conversations_removed`. A page of a limited view can be
 * short or empty and still have a `nextCursor`, which continues after the last checked conversation.
 */
async function listRemoved(
  db: Db,
  {
    workspace: { id: workspaceId, visibility },
    kind,
    cursor,
  }: { workspace: Pick<MemberWorkspace, 'id' | 'visibility'>; kind: Removal; cursor: string | undefined },
): Promise<RemovedPage> {
  const after = parseCursor(cursor);
  const entry = kind === Removal.spam ? 'marked_spam' : 'deleted';
  const checked = visibility ? LIMITED_SCAN : PAGE_ROWS + 1;
  const found = await db.$queryRaw<Position[]>`
    select c.id, c.removed_at as "removedAt", (extract(epoch from c.removed_at) * 1000000)::bigint::text as micros, c.is_seen as "isSeen", c.place = ${checked}::int as "isLast",
      (select t.actor_name from timeline_entries t where t.conversation_id = c.id and t.kind = ${entry}
        order by t.created_at desc limit 1) as "byName"
    from (
      select c.id, c.removed_at, ${isVisibleById(visibility)} as is_seen, row_number() over (order by c.removed_at desc, c.id desc) as place
      from (
        select * from conversations c
        where c.workspace_id = ${workspaceId}::uuid and c.removal = ${kind}::removal and not c.is_test and ${isAfter(after)}
        order by c.removed_at desc, c.id desc limit ${checked}::int) c) c
    where c.is_seen or c.place = ${checked}::int
    order by c.removed_at desc, c.id desc limit ${PAGE_ROWS + 1}::int`;
  const shownRows = found.slice(0, PAGE_ROWS).filter(({ isSeen }) => isSeen);
  const last = found.length > PAGE_ROWS ? shownRows.at(-1) : found.find(({ isLast }) => isLast);
  const rows = await inboxRows(db, {
    reader: { workspaceId, userId: null },
    ids: shownRows.map(({ id }) => id),
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    rows: shownRows.flatMap(({ id, removedAt, byName }) => {
      const row = byId.get(id);
      return row ? [{ ...row, removedAt, byName }] : [];
    }),
    nextCursor: last ? writeCursor(last) : null,
  };
}

function isAfter(after: LogCursor | null): Prisma.Sql {
  return after
    ? Prisma.sql`(c.removed_at, c.id) <
        (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : Prisma.sql`true`;
}

type Counts = Record<'messages' | 'notes' | 'files' | 'merged', number>;

/**
 * Counts what a deletion removes, each up to 999, with the conversations that were merged into this one. Notes that were
 * deleted before, which nobody sees, do not count.
 */
async function previewDeletion(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<DeletionPreview> {
  const upTo = Prisma.sql`limit ${COUNTED_MAX + 1}::int`;
  const [counts] = await db.$queryRaw<Counts[]>`
    with removed as materialized (
      select id from conversations where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid
      union all
      (select id from conversations where workspace_id = ${workspaceId}::uuid and merged_into_id = ${id}::uuid ${upTo})
    )
    select
      (select count(*)::int from (select from removed r join messages m on m.conversation_id = r.id ${upTo}) m) as messages,
      (select count(*)::int from (
        select from removed r join notes n on n.conversation_id = r.id and n.deleted_at is null ${upTo}
      ) n) as notes,
      (select count(*)::int from (
        select from removed r join messages m on m.conversation_id = r.id join attachments a on a.message_id = m.id
        union all select from removed r join notes n on n.conversation_id = r.id and n.deleted_at is null
          join note_files f on f.note_id = n.id ${upTo}
      ) a) as files,
      (select count(*)::int - 1 from removed) as merged
    where exists (select from removed where id = ${id}::uuid)`;
  if (!counts) throw notFound('The conversation');
  const { messages, notes, files, merged } = counts;
  return {
    messages: shown(messages),
    notes: shown(notes),
    files: shown(files),
    merged: shown(merged),
    restoreDays: RESTORE_DAYS,
  };
}
