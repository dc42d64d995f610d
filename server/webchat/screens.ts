import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { db } from '#server/db.ts';
import { readFileUsage } from '#server/files/file-quota.ts';
import { isManaging } from '#server/teammates/roles.ts';
import { publicScreenProcedure, screenProcedure, screenRouter } from '#server/trpc.ts';
import { embedding } from '#server/webchat/embedding.ts';
import type { ChatPageView, WebChatSettingsView } from '#server/webchat/views.ts';

export type * from '#server/webchat/views.ts';

/** The web chat's page, which anybody may open, and how to put it on a site. */
export const webchatScreens = screenRouter({
  open: publicScreenProcedure
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
    if (!isManaging(role)) return { kind: 'not_allowed', role };
    return { kind: 'shown', ...embedding(id), files: await readFileUsage(db(), id) };
  }),
});
