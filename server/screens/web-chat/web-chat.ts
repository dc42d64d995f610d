import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { keyInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { readFileUsage } from '#server/inbox/files/file-quota.ts';
import { publicScreenProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { findClosed } from '#server/screens/web-chat/get-chat.ts';
import type { ChatPageView, WebChatSettingsView } from '#server/screens/web-chat/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';

export type * from '#server/screens/web-chat/views.ts';

/** The public chat page, and its settings. */
export const webchatScreens = screenRouter({
  get: publicScreenProcedure
    .input(z.object({ workspaceId: keyInput }))
    .query(async ({ input: { workspaceId: id } }): Promise<ChatPageView | null> => {
      if (!isUuid(id)) return null;
      const workspace = await findChatWorkspace(id);
      if (!workspace) return null;
      const closed = await findClosed({ workspaceId: id, conversationId: null });
      return { workspaceId: id, workspaceName: workspace.name, isTest: workspace.testOfId !== null, closed };
    }),
  settings: screenProcedure.query(async ({ ctx: { workspace } }): Promise<WebChatSettingsView> => {
    const { id, role } = workspace;
    if (!isAdmin(role)) return { kind: 'not_allowed', role };
    return { kind: 'shown', ...embedding(id), files: await readFileUsage(db(), id) };
  }),
});

/** Path of the script that embeds the chat. */
export const WIDGET_PATH = '/widget.js';

/** Returns the script tag of a workspace's chat, and the paths of its chat and demo pages. */
export function embedding(workspaceId: string): { scriptTag: string; chatPath: string; tryPath: string } {
  const chatPath = `/chat/${workspaceId}`;
  const src = `${settings().BASE_URL}${WIDGET_PATH}`;
  return {
    scriptTag: `<script src="${src}" data-workspace="${workspaceId}" async></script>`,
    chatPath,
    tryPath: `${chatPath}/try`,
  };
}

/** Finds a workspace for its public web chat. */
export function findChatWorkspace(id: string): Promise<{ name: string; testOfId: string | null } | null> {
  return db().workspace.findFirst({ where: { id, deletedAt: null }, select: { name: true, testOfId: true } });
}
