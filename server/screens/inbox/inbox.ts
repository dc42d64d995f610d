import { z } from 'zod';
import { prepared } from '#server/core/database/prepared.ts';
import { Channel, ConversationStatus } from '#server/generated/prisma/enums.ts';
import { countInbox, countViews } from '#server/screens/inbox/count-inbox.ts';
import { filterChoices } from '#server/screens/inbox/filter-choices.ts';
import type { InboxFilter } from '#server/screens/inbox/inbox-filter.ts';
import { listInbox } from '#server/screens/inbox/list-inbox.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';

/** Rows that may be asked for at once: a list that was scrolled far is fetched again as far as this. */
const ROWS_MAX = 300;

const filterInput = z.object({
  status: z.enum(ConversationStatus).optional(),
  /** `me`, `unassigned`, or a teammate's id. */
  assignee: z.union([z.enum(['me', 'unassigned']), z.guid()]).optional(),
  teamId: z.guid().optional(),
  channel: z.enum(Channel).optional(),
  tag: z.string().trim().min(1).max(100).optional(),
  search: z.string().max(1_000).optional(),
});

/** A filter as a screen says it, for the one who looks. */
function filterOf(
  { assignee, search, ...same }: z.infer<typeof filterInput>,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): InboxFilter {
  const assigneeId = assignee === 'me' ? userId : assignee === 'unassigned' ? null : assignee;
  return { ...same, workspaceId, assigneeId, search: search?.trim() === '' ? undefined : search };
}

/** The list of the inbox: its rows, its counts and what it can be filtered by. */
export const inboxScreens = screenRouter({
  list: screenProcedure
    .input(
      filterInput.extend({
        cursor: z.string().optional(),
        rows: z.int().min(1).max(ROWS_MAX).optional(),
      }),
    )
    .query(({ ctx: { workspace, user }, input: { cursor, rows, ...given } }) =>
      listInbox(prepared(), {
        filter: filterOf(given, { workspaceId: workspace.id, userId: user.id }),
        cursor,
        rows,
      }),
    ),
  counts: screenProcedure
    .input(filterInput.omit({ status: true }))
    .query(({ ctx: { workspace, user, reads }, input }) =>
      countInbox(reads, filterOf(input, { workspaceId: workspace.id, userId: user.id })),
    ),
  viewCounts: screenProcedure.query(({ ctx: { workspace, user, reads } }) =>
    countViews(reads, { workspaceId: workspace.id, userId: user.id }),
  ),
  filterChoices: screenProcedure.query(({ ctx: { workspace, reads } }) => filterChoices(reads, workspace.id)),
});
