import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { publicScreenProcedure, screenProcedure, screenRouter } from '#server/doors/procedures/trpc.ts';
import { db } from '#server/ground/db.ts';
import { readFileUsage } from '#server/inbox/files/file-quota.ts';
import { embedding } from '#server/inbox/webchat/embedding.ts';
import type { ChatPageView, WebChatSettingsView } from '#server/inbox/webchat/views.ts';
import { isAdmin } from '#server/people/teammates/roles.ts';

export type * from '#server/inbox/webchat/views.ts';

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
