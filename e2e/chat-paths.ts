import type { Page } from '@playwright/test';

/** Returns the paths of the open workspace's chat page and sample site. */
export async function chatPaths(page: Page): Promise<{ workspaceId: string; chat: string; sample: string }> {
  const settings = await (await page.request.get('/settings/web-chat')).text();
  const workspaceId = /\/chat\/([0-9a-f-]{36})/.exec(settings)?.[1];
  if (workspaceId === undefined) throw new Error('The web chat settings contain no chat page.');
  return { workspaceId, chat: `/chat/${workspaceId}`, sample: `/chat/${workspaceId}/try` };
}
