import { createHash, randomUUID } from 'node:crypto';
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  JsonObject,
} from 'n8n-workflow';
import { NodeApiError, sleep } from 'n8n-workflow';

export const CREDENTIAL = 'sharedInboxOAuth2Api';

export type Call = Pick<IHttpRequestOptions, 'method' | 'qs' | 'body'> & {
  /** Path within the API, for example `/contacts`. */
  path: string;
};

type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

const API_PATH = '/api/automation/v1';
/** Maximum `Retry-After`, in seconds, after which a call is retried. */
const LONGEST_WAIT_SECONDS = 60;

/**
 * Calls the API with the connection's token, which n8n refreshes after a 401. Retries once after a 429 or 409 with
 * `Retry-After`, and retries a POST whose connection broke. A POST has an `Idempotency-Key`, so it runs once.
 * @param itemIndex index of the input item, added to errors
 * @throws NodeApiError with the service's message, or the messages of all fields for a 422
 */
export async function callService<Body = IDataObject>(
  context: Context,
  { path, ...call }: Call,
  itemIndex?: number,
): Promise<Body> {
  const key = call.method === 'POST' ? keyFor(context, { path, ...call }, itemIndex) : undefined;
  const { serverUrl } = await context.getCredentials(CREDENTIAL);
  const options: IHttpRequestOptions = {
    url: `${String(serverUrl).replace(/\/+$/, '')}${API_PATH}${path}`,
    json: true,
    ...call,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  };
  const send = () => context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options);
  try {
    return (await send()) as Body;
  } catch (error) {
    const seconds = secondsToWait(error, { isRepeatable: key !== undefined });
    if (seconds === undefined) throw explain(context, error, itemIndex);
    await sleep(seconds * 1_000);
  }
  try {
    return (await send()) as Body;
  } catch (error) {
    throw explain(context, error, itemIndex);
  }
}

type Refused = {
  response?: {
    status?: number;
    headers?: Record<string, unknown>;
    data?: { message?: string; errors?: Record<string, string[]> };
  };
};

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

/** Seconds until a call whose connection broke is sent again. */
const RECONNECT_SECONDS = 1;

function secondsToWait(error: unknown, { isRepeatable }: { isRepeatable: boolean }): number | undefined {
  const response = responseOf(error);
  if (!response?.status) return isRepeatable ? RECONNECT_SECONDS : undefined;
  const { status, headers } = response;
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  const isTemporary = status === 429 || status === 409;
  return isTemporary && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

function explain(context: Context, error: unknown, itemIndex?: number): NodeApiError {
  const { status, data } = responseOf(error) ?? {};
  const sentences = [...new Set(Object.values(data?.errors ?? {}).flat())];
  const message = sentences.length > 0 ? sentences.join(' ') : data?.message;
  return new NodeApiError(context.getNode(), error as JsonObject, {
    ...(message ? { message } : {}),
    ...(itemIndex === undefined ? {} : { itemIndex }),
    ...(status ? { httpCode: String(status) } : {}),
  });
}
