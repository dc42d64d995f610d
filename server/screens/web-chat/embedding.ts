import { settings } from '#server/core/env.ts';

/** Where the script is that puts the chat on a site. */
export const WIDGET_PATH = '/widget.js';

/** What a site needs to show the chat of a workspace, and the chat as a page of its own. */
export function embedding(workspaceId: string): { scriptTag: string; chatPath: string; tryPath: string } {
  const chatPath = `/chat/${workspaceId}`;
  const src = `${settings().BASE_URL}${WIDGET_PATH}`;
  return {
    scriptTag: `<script src="${src}" data-workspace="${workspaceId}" async></script>`,
    chatPath,
    tryPath: `${chatPath}/try`,
  };
}
