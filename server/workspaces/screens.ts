import { z } from 'zod';
import { db } from '#server/db.ts';
import { Plan } from '#server/generated/prisma/enums.ts';
import { managingProcedure } from '#server/teammates/managing-procedure.ts';
import { owningProcedure } from '#server/teammates/owning-procedure.ts';
import { isManaging } from '#server/teammates/roles.ts';
import { screenProcedure, screenRouter } from '#server/trpc.ts';
import { addDomain } from '#server/workspaces/add-domain.ts';
import { addMailbox } from '#server/workspaces/add-mailbox.ts';
import { changePlan } from '#server/workspaces/change-plan.ts';
import { chooseDefaultMailbox } from '#server/workspaces/choose-default-mailbox.ts';
import { deleteWorkspace } from '#server/workspaces/delete-workspace.ts';
import { removeDomain } from '#server/workspaces/remove-domain.ts';
import { removeMailbox } from '#server/workspaces/remove-mailbox.ts';
import { renameMailbox } from '#server/workspaces/rename-mailbox.ts';
import { showDeletion } from '#server/workspaces/show-deletion.ts';
import { showPlans } from '#server/workspaces/show-plans.ts';
import { showSettings } from '#server/workspaces/show-settings.ts';
import { updateSettings } from '#server/workspaces/update-settings.ts';
import { systemResolver, verifyDomain } from '#server/workspaces/verify-domain.ts';
import type { PlansView, WorkspaceDeletionView, WorkspaceSettingsView } from '#server/workspaces/views.ts';

export type * from '#server/workspaces/views.ts';

/** The open workspace itself: its settings, its plan, and its end. */
export const workspacesScreens = screenRouter({
  settings: screenProcedure.query(async ({ ctx: { workspace } }): Promise<WorkspaceSettingsView> => {
    const { role } = workspace;
    if (!isManaging(role)) return { kind: 'not_allowed', role };
    return { kind: 'shown', ...(await showSettings(db(), workspace.id)), mayDelete: role === 'owner' };
  }),
  update: managingProcedure
    .input(
      z.object({
        name: z.string().optional(),
        assignOnReply: z.boolean().optional(),
        askForRating: z.boolean().optional(),
        closeSolvedAfterDays: z.number().nullable().optional(),
        slaFirstResponseMinutes: z.number().nullable().optional(),
        slaResolutionMinutes: z.number().nullable().optional(),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      updateSettings({ workspaceId: workspace.id, changes: input, by: user }),
    ),
  addDomain: managingProcedure
    .input(z.object({ domain: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addDomain({ workspaceId: workspace.id, ...input, by: user }),
    ),
  verifyDomain: managingProcedure
    .input(z.object({ domainId: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      verifyDomain(systemResolver(), { workspaceId: workspace.id, ...input, by: user }),
    ),
  removeDomain: managingProcedure
    .input(z.object({ domainId: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeDomain({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addMailbox: managingProcedure
    .input(z.object({ address: z.string(), name: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addMailbox({ workspaceId: workspace.id, ...input, by: user }),
    ),
  chooseDefaultMailbox: managingProcedure
    .input(z.object({ mailboxId: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      chooseDefaultMailbox({ workspaceId: workspace.id, ...input, by: user }),
    ),
  renameMailbox: managingProcedure
    .input(z.object({ mailboxId: z.string(), name: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      renameMailbox({ workspaceId: workspace.id, ...input, by: user }),
    ),
  removeMailbox: managingProcedure
    .input(z.object({ mailboxId: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeMailbox({ workspaceId: workspace.id, ...input, by: user }),
    ),
  plans: screenProcedure.query(
    async ({ ctx: { workspace } }): Promise<PlansView> => ({
      mayChange: workspace.role === 'owner',
      ...(await showPlans(db(), workspace.id)),
    }),
  ),
  changePlan: owningProcedure
    .input(z.object({ plan: z.enum(Plan) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      changePlan({ workspaceId: workspace.id, ...input, by: user }),
    ),
  deletion: owningProcedure.query(
    ({ ctx: { workspace } }): Promise<WorkspaceDeletionView> => showDeletion(db(), workspace.id),
  ),
  delete: owningProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      deleteWorkspace({ workspaceId: workspace.id, ...input, by: user }),
    ),
});
