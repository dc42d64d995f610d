import { z } from 'zod';
import { db } from '#server/core/database/db.ts';
import { createFlow, deleteFlow, switchFlow, updateFlow } from '#server/inbox/flows/change-flows.ts';
import { adminProcedure } from '#server/screens/admin-procedure.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { FlowsView } from '#server/screens/settings/flows-views.ts';
import { getFlows } from '#server/screens/settings/get-flows.ts';
import { isAdmin } from '#server/teammates/roles.ts';

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

/** Automations of new conversations. */
export const flowsScreens = screenRouter({
  get: screenProcedure.query(
    async ({ ctx: { workspace } }): Promise<FlowsView> => ({
      mayManage: isAdmin(workspace.role),
      ...(await getFlows(db(), workspace.id)),
    }),
  ),
  create: adminProcedure
    .input(z.object(fields))
    .mutation(({ ctx: { workspace, user }, input }) =>
      createFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  update: adminProcedure
    .input(z.object({ id: z.string(), ...fields }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  switch: adminProcedure
    .input(z.object({ id: z.string(), enabled: z.boolean() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      switchFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
  delete: adminProcedure
    .input(z.object({ id: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteFlow({ workspaceId: workspace.id, by: user, ...input }),
    ),
});
