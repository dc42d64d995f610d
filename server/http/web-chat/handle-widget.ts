import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '#server/http/response/send-json.ts';

const script = readFileSync(new URL('./widget.js', import.meta.url));
const ETAG = `"${createHash('sha256').update(script).digest('base64url')}"`;

/** GET /widget.js: the script that embeds the chat. Cached for five minutes. */
export function handleWidget(req: IncomingMessage, res: ServerResponse): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    sendJson(res, 405, { message: 'This address supports GET only.' }, { Allow: 'GET, HEAD' });
    return;
  }
  const headers = {
    ETag: ETAG,
    'Cache-Control': 'public, max-age=300, must-revalidate',
    'X-Content-Type-Options': 'nosniff',
    // For sites with a cross-origin embedder policy.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
  };
  if (req.headers['if-none-match'] === ETAG) {
    res.writeHead(304, headers);
    res.end();
    return;
  }
  res.writeHead(200, {
    ...headers,
    'Content-Type': 'text/javascript; charset=utf-8',
    'Content-Length': script.byteLength,
  });
  res.end(req.method === 'GET' ? script : undefined);
}
