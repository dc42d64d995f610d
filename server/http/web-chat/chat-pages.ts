/** The page of a workspace's chat, and the sample site beside it. Ids only: nothing else is ever taken for one. */
const CHAT_PAGE = /^\/chat\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\/try)?$/i;

/**
 * What of the web chat a path names: the chat itself (`chat`), which any site may frame, or the sample site (`try`);
 * undefined for every other path.
 * @param path of the request, without the query
 */
export function chatPageOf(path: string): { page: 'chat' | 'try'; workspaceId: string } | undefined {
  const [, workspaceId, isTry] = CHAT_PAGE.exec(path) ?? [];
  if (workspaceId === undefined) return undefined;
  return { page: isTry ? 'try' : 'chat', workspaceId };
}
