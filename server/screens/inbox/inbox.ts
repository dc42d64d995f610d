import { z } from 'zod';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { keyInput, searchInput } from '#server/contract/text-input.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { plannedOnce, sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { markAllRead, markRead, markUnread } from '#server/inbox/conversations/unread.ts';
import { isVisible } from '#server/inbox/conversations/visible-conversations.ts';
import { scan } from '#server/inbox/lists/inbox-sql.ts';
import { listSavedViews } from '#server/inbox/saved-views/saved-views.ts';
import { countInbox, countViews } from '#server/screens/inbox/count-inbox.ts';
import { countFoldedViews, countShownViews } from '#server/screens/inbox/count-saved-views.ts';
import {
  type FilterReader,
  filterInput,
  filterOf,
  orderedInput,
} from '#server/screens/inbox/filter-input.ts';
import { findByName } from '#server/screens/inbox/find-by-name.ts';
import { listInbox } from '#server/screens/inbox/list-inbox.ts';
import type { FilterChoices, ViewCounts } from '#server/screens/inbox/views.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

/** Maximum number of rows per request. After a refresh a list is reloaded up to its scroll position. */
const ROWS_MAX = 300;

/** Returns whose filters they are. */
function readerOf(
  { id, searchLanguage, visibility }: MemberWorkspace,
  { id: userId }: Teammate,
): FilterReader {
  return { workspaceId: id, userId, visibility, language: searchLanguage };
}

export const inboxScreens = screenRouter({
  list: screenProcedure
    .input(
      orderedInput.extend({
        cursor: keyInput.optional(),
        rows: z.int().min(1).max(ROWS_MAX).optional(),
      }),
    )
    .query(({ ctx: { workspace, user }, input: { order, cursor, rows, ...filter } }) =>
      listInbox(sql(), {
        filter: filterOf(filter, readerOf(workspace, user)),
        userId: user.id,
        order,
        cursor,
        rows,
      }),
    ),
  counts: screenProcedure
    .input(filterInput.omit({ status: true }))
    .query(({ ctx: { workspace, user, reads }, input }) =>
      countInbox(reads, filterOf(input, readerOf(workspace, user))),
    ),
  viewCounts: screenProcedure.query(async ({ ctx: { workspace, user, reads } }): Promise<ViewCounts> => {
    const reader = readerOf(workspace, user);
    const [counts, views] = await Promise.all([countViews(reads, reader), listSavedViews(reads, reader)]);
    return { ...counts, saved: await countShownViews(views, reader, isAdmin(workspace.role)) };
  }),
  /** Counts the saved views that the navigation folds, by their ids. */
  foldedCounts: screenProcedure.query(async ({ ctx: { workspace, user, reads } }) => {
    const reader = readerOf(workspace, user);
    return countFoldedViews(await listSavedViews(reads, reader), reader);
  }),
  /** Marks a conversation as read. Returns whether it was unread. */
  markRead: screenProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(z.object({ conversationId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      markRead({ workspaceId: workspace.id, userId: user.id, ...input }),
    ),
  markUnread: screenProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(z.object({ conversationId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      markUnread({ workspaceId: workspace.id, userId: user.id, ...input }),
    ),
  markAllRead: screenProcedure.mutation(({ ctx: { workspace, user } }) =>
    markAllRead({ workspaceId: workspace.id, userId: user.id }),
  ),
  /** Teammates, teams and tags for the command menu. */
  findByName: screenProcedure
    .input(z.object({ query: searchInput }))
    .query(({ ctx: { workspace }, input: { query } }) =>
      findByName(sql(), { workspaceId: workspace.id, query }),
    ),
  filterChoices: screenProcedure.query(({ ctx: { workspace, reads } }) => filterChoices(reads, workspace)),
});

/** Maximum numbers of choices. */
const CHOICES_MAX = 200;
const TAGS_MAX = 30;
/** Number of newest conversations whose tags are counted. */
const SCANNED = 500;

type ChoicesOf = Pick<MemberWorkspace, 'id' | 'visibility'>;

/** Returns SQL for the newest conversations. A limited view gets those that it shows among as many, so that rare ones cost no more. */
function newest({ id: workspaceId, visibility }: ChoicesOf): Prisma.Sql {
  if (visibility) {
    const scanned = scan({ workspaceId, visibility }, { rows: SCANNED, isFixed: true });
    return Prisma.sql`select w.id from (${scanned}) w where ${isVisible(visibility, 'w')}`;
  }
  return Prisma.sql`select id from conversations where workspace_id = ${workspaceId}::uuid and merged_into_id is null
    and not is_test and removal is null order by created_at desc, id desc limit ${SCANNED}::int`;
}

const statement = ({ id: workspaceId, visibility }: ChoicesOf) => Prisma.sql`
    select
      (select coalesce(json_agg(t), '[]') from (
        select id, name from teams where workspace_id = ${workspaceId}::uuid and deleted_at is null order by name limit ${CHOICES_MAX}::int
      ) t) as teams,
      (select coalesce(json_agg(m), '[]') from (
        select u.id, u.name from members m join users u on u.id = m.user_id
        where m.workspace_id = ${workspaceId}::uuid order by u.name limit ${CHOICES_MAX}::int
      ) m) as teammates,
      (select coalesce(json_agg(g.name), '[]') from (
        select min(t.name) as name
        from (${newest({ id: workspaceId, visibility })}) c
        cross join lateral (select key, name from conversation_tags where conversation_id = c.id offset 0) t
        group by t.key order by count(*) desc, t.key limit ${TAGS_MAX}::int
      ) g) as tags`;

/** Returns the choices of the filters: teams and teammates by name, and the tags of the newest conversations, most used first. */
export function filterChoices(db: ReadDb, workspace: ChoicesOf): Promise<FilterChoices> {
  const none: FilterChoices = { teams: [], teammates: [], tags: [] };
  const read = workspace.visibility ? plannedOnce(statement(workspace)) : statement(workspace);
  return runRead(db, read, ([found]: FilterChoices[]) => found ?? none);
}
