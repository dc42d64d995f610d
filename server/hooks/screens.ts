import { db } from '#server/db.ts';
import { settings } from '#server/env.ts';
import { listHooks } from '#server/hooks/list-hooks.ts';
import { managingProcedure } from '#server/teammates/managing-procedure.ts';
import { screenRouter } from '#server/trpc.ts';

export type { ConnectionHealth, HookHealth, HookName, RemovedHook } from '#server/hooks/views.ts';

/** The workflows that listen in the open workspace, and those that were removed. */
export const hooksScreens = screenRouter({
  list: managingProcedure.query(({ ctx: { workspace } }) =>
    listHooks(db(), { workspaceId: workspace.id, platformName: settings().PLATFORM_NAME }),
  ),
});
