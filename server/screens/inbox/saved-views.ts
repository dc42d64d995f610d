import { z } from 'zod';
import { lineInput } from '#server/contract/text-input.ts';
import { addSavedView, deleteSavedView, renameSavedView } from '#server/inbox/saved-views/saved-views.ts';
import { orderedInput } from '#server/screens/inbox/filter-input.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';

/** Views of the inbox that teammates save. `inbox.viewCounts` lists them. */
export const savedViewScreens = screenRouter({
  add: screenProcedure
    .input(z.object({ name: lineInput, isShared: z.boolean(), filters: orderedInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addSavedView({ workspaceId: workspace.id, by: user, ...input }),
    ),
  rename: screenProcedure
    .input(z.object({ id: z.guid(), name: lineInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      renameSavedView({ workspaceId: workspace.id, by: user, ...input }),
    ),
  delete: screenProcedure
    .input(z.object({ id: z.guid() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteSavedView({ workspaceId: workspace.id, by: user, ...input }),
    ),
});
