import { listHooks } from '#server/automation/hooks/list-hooks.ts';
import { adminProcedure } from '#server/doors/procedures/admin-procedure.ts';
import { screenRouter } from '#server/doors/procedures/trpc.ts';
import { settings } from '#server/ground/env.ts';

/** The workflows that listen in the open workspace, and those that were removed. */
export const hooksScreens = screenRouter({
  list: adminProcedure.query(({ ctx: { workspace, reads } }) =>
    listHooks(reads, { workspaceId: workspace.id, platformName: settings().PLATFORM_NAME }),
  ),
});
