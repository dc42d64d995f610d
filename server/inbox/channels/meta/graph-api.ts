import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { settings } from '#server/core/env.ts';
import { faultWithoutResult, jsonOf, requestProvider } from '#server/core/provider-request.ts';

/** Version of the Graph API for all Meta channels. Meta supports a version for two years. */
const GRAPH_VERSION = 'v25.0';

/** A Meta id or one of the fixed node names. Nothing else may become part of a URL path. */
const NODE = /^(?:\d{1,40}|me|app|debug_token|oauth)$/;

const errorShape = z.object({
  error: z.object({
    message: z.string().catch(''),
    code: z.number(),
    error_subcode: z.number().optional().catch(undefined),
    error_user_msg: z.string().optional().catch(undefined),
    error_data: z.object({ details: z.string().optional() }).optional().catch(undefined),
  }),
});

/** An error response (developers.facebook.com/docs/graph-api/guides/error-handling). */
export type GraphRefusal = { code: number; subcode: number | null; message: string };

/** The requested object, or the error. */
export type GraphResult = { ok: true; body: unknown } | { ok: false; refusal: GraphRefusal };

export type GraphCall = {
  token: string;
  /** Lets Meta check that the token belongs to the app with this secret. */
  appSecret?: string;
  /** `<id>` or `<id>/<edge>`. */
  path: `${string}/${string}` | string;
  method?: 'GET' | 'POST' | 'DELETE';
  query?: Record<string, string>;
  /** JSON, or a form for file uploads. */
  body?: Record<string, unknown> | FormData;
  signal?: AbortSignal | undefined;
};

/**
 * Calls the Graph API, which WhatsApp, Instagram and Messenger share. The token is sent in a header, never in the URL.
 * @throws ProviderFault when Meta is unreachable, or responds with neither a result nor an error
 */
export async function callGraph(call: GraphCall): Promise<GraphResult> {
  const { token, appSecret, path, query = {}, body, method = body ? 'POST' : 'GET', signal } = call;
  const proof: Record<string, string> = appSecret
    ? { appsecret_proof: proveAppSecret(token, appSecret) }
    : {};
  const search = new URLSearchParams({ ...query, ...proof }).toString();
  const isForm = body instanceof FormData;
  const response = await requestProvider({
    url: `${graphUrl()}/${GRAPH_VERSION}/${checkedPath(path)}${search === '' ? '' : `?${search}`}`,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    signal,
  });
  const json = jsonOf(response);
  const refused = errorShape.safeParse(json).data?.error;
  if (refused) {
    const { code, error_subcode, error_data, error_user_msg, message } = refused;
    const detail = error_data?.details ?? error_user_msg ?? message;
    return { ok: false, refusal: { code, subcode: error_subcode ?? null, message: detail } };
  }
  if (response.status !== 200 || typeof json !== 'object' || json === null) {
    throw faultWithoutResult('The Graph API', response.status);
  }
  return { ok: true, body: json };
}

/**
 * Computes `appsecret_proof`: an HMAC-SHA256 of the token with the app's secret (Graph API, securing requests). Meta
 * rejects a call with a wrong proof, and accepts a call without a proof unless the app requires it.
 */
function proveAppSecret(token: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex');
}

/** Returns the base URL of the Graph API, without the version. */
export function graphUrl(): string {
  return settings().META_API_URL.replace(/\/$/, '');
}

function checkedPath(path: string): string {
  const [node = '', edge, ...more] = path.split('/');
  if (NODE.test(node) && (edge === undefined || /^[a-z_]{1,40}$/.test(edge)) && more.length === 0)
    return path;
  throw new Error('Invalid path of the Graph API.');
}
