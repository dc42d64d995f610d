import { z } from 'zod';
import { db } from '#server/db.ts';
import { createFlow, deleteFlow, switchFlow, updateFlow } from '#server/flows/change-flows.ts';
import { showFlows } from '#server/flows/show-flows.ts';
import type { FlowsView } from '#server/flows/views.ts';
import { managingProcedure } from '#server/teammates/managing-procedure.ts';
import { isManaging } from '#server/teammates/roles.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';

const fields = {
  name: z.string(),
  channels: z.array(z.string()),
  words: z.string(),
  emailDomain: z.string(),
  tags: z.string(),
  assigneeId: z.string(),
  teamId: z.string(),
  status: z.string(),
};

/** What is done by itself to new conversations. */
export const flowsScreens = screenRouter({
  show: screenProcedure.query(
    async ({ ctx: { workspace } }): Promise<FlowsView> => ({
      mayManage: isManaging(workspace.role),
      ...(await showFlows(db(), workspace.id)),
    }),
  ),
  create: managingProcedure
    .input(z.object(fields))
    .mutation(({ ctx: { workspace, user }, input }) =>
      createFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  update: managingProcedure
    .input(z.object({ id: z.string(), ...fields }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  switch: managingProcedure
    .input(z.object({ id: z.string(), enabled: z.boolean() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      switchFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  delete: managingProcedure
    .input(z.object({ id: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
});
