import { z } from 'zod';
import {
  createTag,
  deleteTag,
  findAutomations,
  limitNewTags,
  mergeTag,
  renameTag,
  setTagTint,
  TINTS,
} from '#server/administration/tags/change-tags.ts';
import { lineInput, searchInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { listKnownTags } from '#server/inbox/conversations/list-tags.ts';
import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { TagsView } from '#server/screens/settings/views.ts';

/** Tags of a page. */
const PAGE = 50;

const which = z.object({ key: lineInput });

/** The tags of a workspace, for owners and admins. */
export const tagsScreens = screenRouter({
  /** `search`: start of the tags. `after`: key of the last tag of the page before. */
  list: adminProcedure
    .input(z.object({ search: searchInput.optional(), after: lineInput.optional() }))
    .query(({ ctx: { workspace }, input }) => getTags(workspace.id, input)),
  create: adminProcedure
    .input(z.object({ name: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      createTag({ workspaceId: workspace.id, ...input, by: user }),
    ),
  setTint: adminProcedure
    .input(
      which.extend({
        tint: z
          .int()
          .min(0)
          .max(TINTS - 1)
          .nullable(),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      setTagTint({ workspaceId: workspace.id, ...input, by: user }),
    ),
  rename: adminProcedure
    .input(which.extend({ name: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      renameTag({ workspaceId: workspace.id, ...input, by: user }),
    ),
  merge: adminProcedure
    .input(which.extend({ into: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      mergeTag({ workspaceId: workspace.id, ...input, by: user }),
    ),
  delete: adminProcedure
    .input(which)
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteTag({ workspaceId: workspace.id, ...input, by: user }),
    ),
  limitNew: adminProcedure
    .input(z.object({ isLimited: z.boolean() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      limitNewTags({ workspaceId: workspace.id, ...input, by: user }),
    ),
});

async function getTags(
  workspaceId: string,
  { search = '', after }: { search?: string | undefined; after?: string | undefined },
): Promise<TagsView> {
  const found = await listKnownTags(sql(), { workspaceId, prefix: search.trim(), after, limit: PAGE + 1 });
  const tags = found.slice(0, PAGE);
  const keys = tags.map(({ key }) => key);
  const [workspace, automations, counts, workflows, running] = await Promise.all([
    db().workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { newTagsByAdmins: true } }),
    findAutomations(db(), workspaceId),
    countConversations(workspaceId, keys),
    db().hook.groupBy({
      by: ['filterKey'],
      where: { workspaceId, removedAt: null, event: 'conversation.tagged', filterKey: { in: keys } },
      _count: true,
    }),
    db().tagReplacement.findMany({
      where: { workspaceId },
      select: { key: true, newKey: true },
    }),
  ]);
  return {
    newTagsByAdmins: workspace.newTagsByAdmins,
    tags: tags.map(({ key, name, tint }) => ({
      key,
      name,
      tint,
      conversations: shown(counts.get(key)),
      automations: automations.filter((automation) => automation.keys.includes(key)).map(({ name }) => name),
      workflows: workflows.find(({ filterKey }) => filterKey === key)?._count ?? 0,
      isChanging: running.some((change) => change.key === key || change.newKey === key),
    })),
    next: found.length > PAGE ? (keys.at(-1) ?? null) : null,
  };
}

/** Counts the conversations of each tag, up to one above the displayed maximum. */
async function countConversations(workspaceId: string, keys: string[]): Promise<Map<string, number>> {
  const counted = await sql().$queryRaw<{ key: string; count: number }[]>`
    select asked.key, counted.count
    from unnest(${keys}::text[]) asked (key)
    cross join lateral (
      select count(*)::int as count from (
        select from conversation_tags t join conversations c on c.id = t.conversation_id
        where t.workspace_id = ${workspaceId}::uuid and t.key = asked.key and c.merged_into_id is null
          and not c.is_test and c.removal is null
        limit ${COUNTED_MAX + 1}::int) tagged
    ) counted`;
  return new Map(counted.map(({ key, count }) => [key, count]));
}
