import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { settings } from '#server/core/env.ts';
import { FAULT_MESSAGE } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { developerApi } from '#server/developer-api/developer-api.ts';
import { authenticateCall } from '#server/http/handle-api-call.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { readJsonBody } from '#server/http/request/read-body.ts';
import { headersOf } from '#server/http/request/request-parts.ts';
import { problemHeaders, RequestProblem } from '#server/http/response/request-problem.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';

export const MCP_PATH = '/mcp';
/** Well-known path of the metadata of `/mcp` (RFC 9728 §3.1). */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

/** Time after which a request is ended in any case, in ms. The slowest tool sends a reply, which takes up to ten seconds. */
const DEADLINE_MS = 60_000;

/**
 * POST /mcp: one JSON-RPC message of an MCP client, with an API token. Checks as the developer API does: method, credentials, rate
 * limit, body. The tools check the abilities.
 */
export async function handleMcp(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const start = performance.now();
  const id = requestId(res);
  for (const [name, value] of Object.entries(developerApi.headers(id))) res.setHeader(name, value);
  const logged: { tokenId?: string; rpcMethod?: string; tool?: string } = {};
  try {
    await respond(req, res, logged);
  } catch (error) {
    if (error instanceof RequestProblem) {
      const { requestProblem: status, message } = error;
      sendJson(res, status, { message }, problemHeaders(error));
    } else if (!res.destroyed) {
      log().error({ err: error, requestId: id }, 'mcp.failed');
      if (res.headersSent) res.destroy();
      else sendJson(res, 500, { message: FAULT_MESSAGE });
    }
  }
  const durationMs = Math.round(performance.now() - start);
  log().info({ requestId: id, ...logged, status: res.statusCode, durationMs }, 'mcp.answered');
}

async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  logged: { tokenId?: string; rpcMethod?: string; tool?: string },
): Promise<void> {
  // Required by MCP, so that a page of another site cannot use a token that its browser knows.
  const { origin } = req.headers;
  if (origin !== undefined && origin !== new URL(settings().BASE_URL).origin) {
    return sendJson(res, 403, { message: 'Pages of other sites cannot call this address.' });
  }
  const authenticated = await authenticateCall(developerApi, req, res);
  if ('refused' in authenticated) {
    const { refused } = authenticated;
    const body = 'body' in refused ? refused.body : refused.json;
    return sendJson(res, refused.status, body, { ...refused.headers, ...challengeOf(refused.status) });
  }
  const program = authenticated.caller;
  logged.tokenId = program.tokenId;
  await developerApi.touch(program, clientAddress(req));

  const body = await readJsonBody(req);
  if (body.kind === 'too_large')
    return sendJson(res, 413, rpcError(-32_000, 'The body must be at most 1 MB.'));
  // An array would be a batch, which no supported revision has and whose calls would count as one.
  if (body.kind === 'malformed') return sendJson(res, 400, rpcError(-32_700, body.message));
  const { method, params } = body.value as { method?: unknown; params?: { name?: unknown } };
  if (typeof method === 'string') logged.rpcMethod = method.slice(0, 100);

  const closed = new AbortController();
  res.once('close', () => closed.abort());
  const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(DEADLINE_MS)]);
  const headers = headersOf(req);
  // No tool sees the token.
  headers.delete('authorization');
  const request = new Request(new URL(MCP_PATH, settings().BASE_URL), { method: 'POST', headers, signal });
  // Loaded with the first request: it is large, and few installations use it.
  const { mcpHandler, TOOLS } = await import('#server/mcp/mcp-handler.ts');
  if (typeof params?.name === 'string' && TOOLS.has(params.name)) logged.tool = params.name;
  const response = await mcpHandler.fetch(request, {
    parsedBody: body.value,
    authInfo: { token: '', clientId: program.tokenId, scopes: [], extra: { program } },
  });
  await send(res, response, signal);
}

async function send(res: ServerResponse, response: Response, signal: AbortSignal): Promise<void> {
  if (res.destroyed) return;
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) res.end();
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), res, { signal });
}

function rpcError(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

/** Returns the challenge of a `401`, which leads clients to the metadata (RFC 9728 §5.1). */
function challengeOf(status: number): Record<string, string> {
  if (status !== 401) return {};
  const metadata = `${settings().BASE_URL}${RESOURCE_METADATA_PATH}`;
  return { 'WWW-Authenticate': `Bearer error="invalid_token", resource_metadata="${metadata}"` };
}

/**
 * Answers with the metadata of `/mcp` (RFC 9728): it needs a token in the header. No authorization server is named, because people
 * create the token in the settings.
 */
export function handleResourceMetadata(_req: IncomingMessage, res: ServerResponse): void {
  const { BASE_URL, SERVICE_NAME } = settings();
  const metadata = {
    resource: `${BASE_URL}${MCP_PATH}`,
    resource_name: SERVICE_NAME,
    resource_documentation: `${BASE_URL}/docs`,
    bearer_methods_supported: ['header'],
  };
  sendJson(res, 200, metadata, { 'Cache-Control': 'public, max-age=300' });
}
