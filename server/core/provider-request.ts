import { Agent, type Dispatcher, request } from 'undici';
import { processState } from '#server/core/process-state.ts';
import { parseJson } from '#server/core/text.ts';

/** Timeout of connecting, in ms. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Timeout of a whole response, in ms. */
const TOTAL_TIMEOUT_MS = 9_000;
/** Default limit of a response, in bytes. */
const RESPONSE_MAX_BYTES = 1024 * 1024;
const FILE_TIMEOUT_MS = 60_000;

/**
 * A request to a provider failed. Its message contains no URL, because some contain tokens. `unreachable`: the provider did not
 * process the request, and may process another one later. `timed_out`, `unclear`: the provider may have processed the request.
 * `refused`, `too_large`: another request would fail as well.
 */
export class ProviderFault extends Error {
  readonly providerFault: 'unreachable' | 'timed_out' | 'unclear' | 'too_large' | 'refused';

  constructor(kind: ProviderFault['providerFault'], message: string) {
    super(message);
    this.name = 'ProviderFault';
    this.providerFault = kind;
  }
}

export type ProviderResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
};

type ProviderRequest = {
  url: string;
  method?: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | FormData | Buffer;
  signal?: AbortSignal | undefined;
  maxBytes?: number;
};

const agent = processState(
  () => new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: 10_000 }),
);

/**
 * Sends a request to a provider's API. Follows no redirect, reads up to `maxBytes`, and aborts with `signal` or after nine seconds.
 * @throws ProviderFault
 */
export async function requestProvider({
  maxBytes = RESPONSE_MAX_BYTES,
  ...request
}: ProviderRequest): Promise<ProviderResponse> {
  return withFaults(async () => {
    const { statusCode: status, headers, body } = await open(request, TOTAL_TIMEOUT_MS);
    const pieces: Buffer[] = [];
    for await (const piece of bounded(body, maxBytes)) pieces.push(Buffer.from(piece));
    return { status, headers, body: Buffer.concat(pieces) };
  });
}

/**
 * Opens a file at a provider's own host as a stream of up to `maxBytes`, which must be read within a minute.
 * @throws ProviderFault, including while the stream is read
 */
export async function fetchFromProvider({
  maxBytes,
  ...options
}: ProviderRequest & { maxBytes: number }): Promise<{
  headers: ProviderResponse['headers'];
  source: AsyncIterable<Uint8Array>;
}> {
  const { statusCode, headers, body } = await withFaults(() => open(options, FILE_TIMEOUT_MS));
  if (statusCode !== 200) {
    await body.dump({ limit: 1024 }).catch(() => undefined);
    const kind = isTemporaryStatus(statusCode) ? 'unreachable' : 'refused';
    throw new ProviderFault(kind, `The provider answered ${statusCode} for a file.`);
  }
  return { headers, source: faultsIn(bounded(body, maxBytes)) };
}

/** Returns true when the same request may succeed later. */
export function isTemporaryStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Returns the fault of a response without a result. Only with a 3xx or 4xx the provider surely did not process the request. */
export function faultWithoutResult(provider: string, status: number): ProviderFault {
  const kind = status >= 300 && status < 500 ? 'unreachable' : 'unclear';
  return new ProviderFault(kind, `${provider} responded with ${status} and no result.`);
}

/** Parses the body as JSON. Returns undefined when it is not JSON. */
export function jsonOf({ body }: Pick<ProviderResponse, 'body'>): unknown {
  return parseJson(body.toString('utf8'));
}

async function open(
  { url, method = 'GET', headers = {}, body, signal }: ProviderRequest,
  timeoutMs: number,
): Promise<Dispatcher.ResponseData> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const packed = body instanceof FormData ? await packForm(body) : { body: body ?? null, headers: {} };
  return request(url, {
    method,
    headers: { ...headers, ...packed.headers },
    body: packed.body,
    dispatcher: agent(),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

/** Encodes a form in memory, because some providers require its length. */
async function packForm(form: FormData): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const packed = new Response(form);
  const type = packed.headers.get('content-type') ?? '';
  return { body: Buffer.from(await packed.arrayBuffer()), headers: { 'content-type': type } };
}

async function* bounded(source: AsyncIterable<Uint8Array>, maxBytes: number) {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > maxBytes)
      throw new ProviderFault('too_large', `The provider sent more than ${maxBytes} bytes.`);
    yield piece;
  }
}

async function* faultsIn(source: AsyncIterable<Uint8Array>) {
  try {
    yield* source;
  } catch (error) {
    throw faultOf(error);
  }
}

async function withFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw faultOf(error);
  }
}

/** Codes of a connection that broke, or had an invalid response, after at least a part of the request was sent. */
const BROKEN = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE|HPE_.*)$/;

/** Reports only the code of an error of the library, because its message may contain the URL. */
function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const name = error instanceof Error ? error.name : '';
  const isLate = /Timeout|Abort/.test(name) || /UND_ERR_(HEADERS|BODY)_TIMEOUT|UND_ERR_ABORTED/.test(code);
  if (isLate && code !== 'UND_ERR_CONNECT_TIMEOUT') {
    return new ProviderFault('timed_out', 'The provider did not answer in time.');
  }
  return BROKEN.test(code) || name === 'HTTPParserError'
    ? new ProviderFault('unclear', `The connection to the provider broke (${code || name}).`)
    : new ProviderFault('unreachable', `The provider could not be reached (${code || name}).`);
}
