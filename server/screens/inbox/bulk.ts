import { z } from 'zod';
import { parseInput } from '#server/contract/fields.ts';
import { tagList } from '#server/contract/tag-list.ts';
import { tagsInput } from '#server/contract/text-input.ts';
import { sql } from '#server/core/database/sql.ts';
import { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import { type BulkChange, changeInBulk, undoInBulk } from '#server/inbox/conversations/bulk-change.ts';
import { refuseNewTags } from '#server/inbox/conversations/known-tags.ts';
import type { BulkChoices } from '#server/screens/inbox/views.ts';
import { agentProcedure, screenRouter } from '#server/screens/procedures.ts';
import { listAssignees, listTeams } from '#server/teammates/find-teammates.ts';

/** Maximum number of conversations per request. The page sends a larger selection in several requests. */
const CONVERSATIONS_MAX = 25;

const bulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: z.enum(['open', 'pending', 'solved']) }),
  z.object({ kind: z.literal('priority'), priority: z.enum(Priority) }),
  z.object({ kind: z.literal('assignee'), assigneeId: z.guid().nullable() }),
  z.object({ kind: z.literal('team'), teamId: z.guid().nullable() }),
  z.object({ kind: z.literal('tags'), tags: tagsInput }),
  z.object({ kind: z.literal('snooze'), until: z.date().nullable() }),
  z.object({ kind: z.literal('spam') }),
]) satisfies z.ZodType<BulkChange>;

const valuesBefore = z.object({
  id: z.guid(),
  status: z.enum(ConversationStatus),
  snoozedUntil: z.date().nullable(),
  priority: z.enum(Priority),
  assigneeId: z.guid().nullable(),
  teamId: z.guid().nullable(),
  addedTags: tagsInput,
});

/** Changes of the conversations that a teammate selected in the list. */
export const bulkScreens = screenRouter({
  choices: agentProcedure.query(async ({ ctx: { workspace, user, reads } }): Promise<BulkChoices> => {
    const [teammates, teams] = await Promise.all([
      listAssignees(reads, workspace.id),
      listTeams(reads, workspace.id),
    ]);
    const me = { id: user.id };
    return { me, teammates, teams };
  }),
  change: agentProcedure
    .meta({ names: { 'ids.*': 'conversation' } })
    .input(z.object({ ids: z.array(z.guid()).max(CONVERSATIONS_MAX), change: bulkChange }))
    .mutation(async ({ ctx: { workspace, actor }, input }) => {
      const { id: workspaceId, role } = workspace;
      const change = withValidTags(input.change);
      if (change.kind === 'tags') await refuseNewTags(sql(), { workspaceId, role, tags: change.tags });
      return changeInBulk({ workspaceId, actor, ids: [...new Set(input.ids)], change });
    }),
  /** Also undoes a change of one conversation. */
  undo: agentProcedure
    .meta({ names: { 'before.*.id': 'undoneAssignment' } })
    .input(z.object({ before: z.array(valuesBefore).max(CONVERSATIONS_MAX), change: bulkChange }))
    .mutation(({ ctx: { workspace, actor }, input: { before, change } }) =>
      undoInBulk({ workspaceId: workspace.id, actor, before, change: withValidTags(change) }),
    ),
});

/** @throws Refusal when the tags are not valid */
function withValidTags(change: BulkChange): BulkChange {
  if (change.kind !== 'tags') return change;
  return { ...change, ...parseInput(z.object({ tags: tagList }), { tags: change.tags }) };
}
