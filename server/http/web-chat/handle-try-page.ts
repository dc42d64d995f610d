import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { settings } from '#server/core/env.ts';
import { escapeHtml } from '#server/core/text.ts';
import { PERMISSIONS_POLICY } from '#server/http/response/security-headers.ts';
import { sendText } from '#server/http/response/send-json.ts';
import { embedding, findChatWorkspace } from '#server/screens/web-chat/web-chat.ts';

/**
 * GET /chat/<workspace>/try: a sample site with the script tag from the settings.
 * @returns false, without a response, when there is no such workspace
 */
export async function handleTryPage(res: ServerResponse, workspaceId: string): Promise<boolean> {
  const workspace = await findChatWorkspace(workspaceId);
  if (!workspace) return false;
  const nonce = randomBytes(16).toString('base64');
  const html = page({ name: escapeHtml(workspace.name), nonce, scriptTag: embedding(workspaceId).scriptTag });
  const site = new URL(settings().BASE_URL).origin;
  sendText(res, 200, html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self' ${site}`,
      `style-src 'nonce-${nonce}'`,
      `frame-src 'self' ${site}`,
      'img-src data:',
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': PERMISSIONS_POLICY,
    'Cache-Control': 'no-store',
  });
  return true;
}

function page({ name, nonce, scriptTag }: { name: string; nonce: string; scriptTag: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="data:,">
<title>A sample site of ${name}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.6 ui-sans-serif, system-ui, sans-serif }
body { margin: 0; background: light-dark(#fff, #17181b); color: light-dark(#19191c, #ededf0) }
header { padding: 20px max(20px, calc(50vw - 340px)); border-bottom: 1px solid light-dark(#e3e3e7, #2c2e33); font-weight: 600 }
main { max-width: 680px; margin: 0 auto; padding: 40px 20px 140px }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 12px }
p { margin: 0 0 16px; color: light-dark(#53535d, #b0b2bb); max-width: 60ch }
</style>
</head>
<body>
<header>${name}</header>
<main>
<h1>A sample site</h1>
<p>This page is an example of a site of ${name}. It contains only the script tag from the settings, so the chat at the
bottom right is the one that visitors of the real site get.</p>
<p>Your messages arrive in the inbox as a web chat conversation. Reply there, and the reply appears here.</p>
</main>
${scriptTag}
</body>
</html>
`;
}

/** Paths of a workspace's chat and of its sample site. Only a UUID matches. */
const CHAT_PAGE = /^\/chat\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\/try)?$/i;

/**
 * Returns the web chat page of a path: the chat (`chat`), which any site can frame, or the sample site
 * (`try`).
 * @param path of the request, without the query
 */
export function chatPageOf(path: string): { page: 'chat' | 'try'; workspaceId: string } | undefined {
  const [, workspaceId, isTry] = CHAT_PAGE.exec(path) ?? [];
  if (workspaceId === undefined) return undefined;
  return { page: isTry ? 'try' : 'chat', workspaceId };
}
