import type { Page } from '@playwright/test';

/** The address of the chat of the workspace that is open to who has signed in, and of its sample site. */
export async function chatPaths(page: Page): Promise<{ workspaceId: string; chat: string; sample: string }> {
  const settings = await (await page.request.get('/settings/web-chat')).text();
  const workspaceId = /\/chat\/([0-9a-f-]{36})/.exec(settings)?.[1];
  if (workspaceId === undefined) throw new Error('The settings of the web chat name no chat page.');
  return { workspaceId, chat: `/chat/${workspaceId}`, sample: `/chat/${workspaceId}/try` };
}
