import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from '#server/http/response/send-json.ts';

const script = readFileSync(new URL('./widget.js', import.meta.url));
const ETAG = `"${createHash('sha256').update(script).digest('base64url')}"`;

/** GET /widget.js: the script that embeds the chat. Cached for five minutes. */
export function handleWidget(req: IncomingMessage, res: ServerResponse): void {
  const headers = {
    ETag: ETAG,
    'Cache-Control': 'public, max-age=300, must-revalidate',
    // For sites with a cross-origin embedder policy.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
  };
  if (req.headers['if-none-match'] === ETAG) {
    res.writeHead(304, { ...headers, 'X-Content-Type-Options': 'nosniff' }).end();
    return;
  }
  sendText(res, 200, script, { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' });
}
