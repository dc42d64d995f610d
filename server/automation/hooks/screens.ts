import { listHooks } from '#server/automation/hooks/list-hooks.ts';
import { adminProcedure } from '#server/doors/procedures/admin-procedure.ts';
import { screenRouter } from '#server/doors/procedures/trpc.ts';
import { db } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';

/** The workflows that listen in the open workspace, and those that were removed. */
export const hooksScreens = screenRouter({
  list: adminProcedure.query(({ ctx: { workspace } }) =>
    listHooks(db(), { workspaceId: workspace.id, platformName: settings().PLATFORM_NAME }),
  ),
});
