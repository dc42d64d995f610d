import type { IncomingMessage, ServerResponse } from 'node:http';
import { serverMetadata } from '#server/http/oauth/server-metadata.ts';
import { sendJson } from '#server/http/response/send-json.ts';

/** Where clients look for it (RFC 8414 §3); the issuer has no path of its own. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** It changes with a new version alone; anyone may read and keep it. */
const HEADERS = { 'Cache-Control': 'public, max-age=300' };

/** GET /.well-known/oauth-authorization-server (RFC 8414). */
export async function handleMetadata(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    sendJson(res, 405, { message: 'This address answers GET only.' }, { Allow: 'GET, HEAD' });
    return;
  }
  sendJson(res, 200, serverMetadata(), HEADERS);
}
