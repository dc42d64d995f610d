import { settings } from '#server/core/env.ts';
import { adminProcedure } from '#server/screens/admin-procedure.ts';
import { listHooks } from '#server/screens/integrations/list-hooks.ts';
import { screenRouter } from '#server/screens/procedures.ts';

/** The workflows that listen in the open workspace, and those that were removed. */
export const hooksScreens = screenRouter({
  list: adminProcedure.query(({ ctx: { workspace, reads } }) =>
    listHooks(reads, { workspaceId: workspace.id, platformName: settings().PLATFORM_NAME }),
  ),
});
