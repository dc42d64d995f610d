import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IHttpRequestOptions, JsonObject } from 'n8n-workflow';
import { NodeApiError, sleep } from 'n8n-workflow';
import { apiOf, type Context } from './authentication';

export type Call = Pick<IHttpRequestOptions, 'method' | 'qs' | 'body'> & {
  /** Path within the API, for example `/contacts`. */
  path: string;
};

/** Maximum `Retry-After`, in seconds, after which a call is retried. */
const LONGEST_WAIT_SECONDS = 60;
/** Time for which a call is repeated while its first request is in progress, or the service is unavailable, in ms. */
const IN_PROGRESS_MAX_MS = 30_000;

/**
 * Calls the API of the node's credential. n8n refreshes a connection's token after a 401. Retries once after a 429 with `Retry-After`,
 * and once when the connection of a POST broke. Repeats a POST with the same `Idempotency-Key`, so it runs once, for 30 seconds while the
 * API responds 409 because the first request is still in progress, or 502, 503 or 504.
 * @param itemIndex index of the input item, added to errors
 * @throws NodeApiError with the service's message, or the messages of all fields for a 422
 */
export async function callService<Body = IDataObject>(
  context: Context,
  { path, ...call }: Call,
  itemIndex?: number,
): Promise<Body> {
  const key = call.method === 'POST' ? keyFor(context, { path, ...call }, itemIndex) : undefined;
  const { credential, path: apiPath } = apiOf(context);
  const { serverUrl } = await context.getCredentials(credential);
  const options: IHttpRequestOptions = {
    url: `${String(serverUrl).replace(/\/+$/, '')}${apiPath}${path}`,
    json: true,
    ...call,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  };
  const firstSeen = new Map<number | undefined, number>();
  for (;;) {
    try {
      return (await context.helpers.httpRequestWithAuthentication.call(context, credential, options)) as Body;
    } catch (error) {
      const { status: exact } = responseOf(error) ?? {};
      const status = isUnavailable(exact) ? 503 : exact;
      const seconds = secondsToWait(error, { isRepeatable: key !== undefined });
      const firstAt = firstSeen.get(status);
      const maxMs = status === 409 || status === 503 ? IN_PROGRESS_MAX_MS : 0;
      const isOver = firstAt !== undefined && Date.now() - firstAt >= maxMs;
      if (seconds === undefined || isOver) throw explain(context, error, itemIndex);
      if (firstAt === undefined) firstSeen.set(status, Date.now());
      await sleep(seconds * 1_000);
    }
  }
}

type Refused = {
  response?: {
    status?: number;
    headers?: Record<string, unknown>;
    data?: { message?: string; errors?: Record<string, string[]> };
  };
};

/** Calls the API like `callService`. Returns undefined if there is no such record. */
export async function callUnlessMissing<Body = IDataObject>(
  ...call: Parameters<typeof callService>
): Promise<Body | undefined> {
  return callService<Body>(...call).catch((error: NodeApiError) =>
    error.httpCode === '404' ? undefined : Promise.reject(error),
  );
}

/** Returns the service's response from an error, or from the cause that n8n has wrapped in its own error. */
function responseOf(error: unknown): Refused['response'] {
  const { response, cause } = error as Refused & { cause?: Refused };
  return response ?? cause?.response;
}

/**
 * Returns the idempotency key of a call. Within an execution it is the same for each attempt of "Retry On Fail", unless the
 * body changed in between.
 */
function keyFor(context: Context, { method, path, body }: Call, itemIndex?: number): string {
  if (!('getWorkflowDataProxy' in context) || itemIndex === undefined) return randomUUID();
  const executionId = context.getExecutionId();
  if (!executionId) return randomUUID();
  const { $runIndex: runIndex } = context.getWorkflowDataProxy(itemIndex);
  const run = [context.getInstanceId(), executionId, context.getNode().id, runIndex, itemIndex];
  return createHash('sha256')
    .update(JSON.stringify([...run, method, path, body]))
    .digest('hex');
}

/** Statuses of the service or of a proxy in front of it, as during a restart. */
const isUnavailable = (status = 0) => status >= 502 && status <= 504;

/** Seconds until a call whose connection broke, or that met an unavailable service, is sent again. */
const RECONNECT_SECONDS = 1;

function secondsToWait(error: unknown, { isRepeatable }: { isRepeatable: boolean }): number | undefined {
  const response = responseOf(error);
  if (!response?.status) return isRepeatable ? RECONNECT_SECONDS : undefined;
  const { status, headers } = response;
  const isRepeated = isRepeatable && isUnavailable(status);
  const wanted = Number(headers?.['retry-after'] ?? (isRepeated ? RECONNECT_SECONDS : Number.NaN));
  const seconds = isRepeated ? Math.max(RECONNECT_SECONDS, wanted) : wanted;
  const isTemporary = status === 429 || status === 409 || isRepeated;
  return isTemporary && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

function explain(context: Context, error: unknown, itemIndex?: number): NodeApiError {
  const { status, data } = responseOf(error) ?? {};
  const sentences = [...new Set(Object.values(data?.errors ?? {}).flat())];
  const message = sentences.length > 0 ? sentences.join(' ') : data?.message;
  // n8n throws a NodeApiError, which the constructor would return unchanged. Its cause is the error of the request.
  const cause = error instanceof NodeApiError ? (error.cause ?? error) : error;
  return new NodeApiError(context.getNode(), cause as JsonObject, {
    ...(message ? { message } : {}),
    ...(itemIndex === undefined ? {} : { itemIndex }),
    ...(status ? { httpCode: String(status) } : {}),
  });
}
