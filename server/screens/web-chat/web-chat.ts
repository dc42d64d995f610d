import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { db } from '#server/core/database/db.ts';
import { readFileUsage } from '#server/inbox/files/file-quota.ts';
import { publicScreenProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { embedding } from '#server/screens/web-chat/embedding.ts';
import type { ChatPageView, WebChatSettingsView } from '#server/screens/web-chat/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';

export type * from '#server/screens/web-chat/views.ts';

/** The web chat's page, which anyone may open, and how to put it on a site. */
export const webchatScreens = screenRouter({
  get: publicScreenProcedure
    .input(z.object({ workspaceId: z.string() }))
    .query(async ({ input: { workspaceId: id } }): Promise<ChatPageView | null> => {
      if (!isUuid(id)) return null;
      const workspace = await db().workspace.findFirst({
        where: { id, deletedAt: null },
        select: { name: true },
      });
      return workspace && { workspaceId: id, workspaceName: workspace.name };
    }),
  settings: screenProcedure.query(async ({ ctx: { workspace } }): Promise<WebChatSettingsView> => {
    const { id, role } = workspace;
    if (!isAdmin(role)) return { kind: 'not_allowed', role };
    return { kind: 'shown', ...embedding(id), files: await readFileUsage(db(), id) };
  }),
});
