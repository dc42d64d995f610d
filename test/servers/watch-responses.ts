import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { API_HOST_PATH, API_PATH, DEVELOPER_API_PATH, settings } from '#server/core/env.ts';
import { type ContractRules, rulesOf } from '#test/servers/response-rules.ts';
import { validateResponse } from '#test/servers/validate-response.ts';

/** The contracts by file, read when a server is watched first. */
const contracts = new Map<string, ContractRules>();

/** Only the developer API is served at its own host. */
function isAtApiHost(host: string | undefined): boolean {
  return host !== undefined && host === settings().API_HOST;
}

/** Returns the path of the API that a request calls, and the file of its contract; undefined for other requests. */
function apiOf(
  { headers: { host } }: IncomingMessage,
  address: string,
): [path: string, file: string] | undefined {
  const isBelow = (path: string) => address === path || address.startsWith(`${path}/`);
  if (isBelow(API_PATH) && !isAtApiHost(host)) return [API_PATH, 'openapi.json'];
  if (isBelow(DEVELOPER_API_PATH) && !isAtApiHost(host))
    return [DEVELOPER_API_PATH, 'openapi-developer.json'];
  if (isBelow(API_HOST_PATH) && isAtApiHost(host)) return [API_HOST_PATH, 'openapi-developer.json'];
  return undefined;
}

/**
 * Validates every response of the APIs that a server sends, with their OpenAPI documents. Prints problems
 * immediately.
 * @returns a function that throws if a response broke the contract since its last call
 */
export function watchResponses(server: Server): () => void {
  const broken: string[] = [];
  server.prependListener('request', (req, res) => {
    const { method = '', url = '' } = req;
    const [address = ''] = url.split('?', 1);
    const called = apiOf(req, address);
    if (!called) return;
    const [prefix, file] = called;
    const rules = contracts.get(file) ?? rulesOf(file);
    contracts.set(file, rules);
    const chunks = collectBody(res);
    res.on('finish', () => {
      const problems = validateResponse(rules, {
        method,
        path: address.slice(prefix.length),
        status: res.statusCode,
        headers: res.getHeaders(),
        body: Buffer.concat(chunks).toString(),
      });
      for (const problem of problems) {
        const line = `${method} ${url}: ${problem}`;
        broken.push(line);
        console.error(`A response breaks ${file}: ${line}`);
      }
    });
  });
  return () => {
    if (broken.length === 0) return;
    const lines = broken.splice(0);
    throw new Error(
      `${lines.length} responses break their contract (after changing the contract, run npm run openapi):\n` +
        lines.join('\n'),
    );
  };
}

/** Collects what is written to a response, without changing the response. */
function collectBody(res: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  for (const name of ['write', 'end'] as const) {
    const send = res[name];
    Object.defineProperty(res, name, {
      value: (...args: unknown[]) => {
        collect(args[0]);
        return Reflect.apply(send, res, args);
      },
    });
  }
  return chunks;
}
