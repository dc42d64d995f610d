import type { Server, ServerResponse } from 'node:http';
import { API_PATH } from '#server/core/env.ts';
import { validateResponse } from '#test/servers/validate-response.ts';

/**
 * Validates every response of `{api_base}/*` that a server sends, with `openapi.json`. Prints problems
 * immediately.
 * @returns a function that throws if a response broke the contract since its last call
 */
export function watchResponses(server: Server): () => void {
  const broken: string[] = [];
  server.prependListener('request', (req, res) => {
    const { method = '', url = '' } = req;
    const [address = ''] = url.split('?', 1);
    if (address !== API_PATH && !address.startsWith(`${API_PATH}/`)) return;
    const chunks = collectBody(res);
    res.on('finish', () => {
      const problems = validateResponse({
        method,
        path: address.slice(API_PATH.length),
        status: res.statusCode,
        headers: res.getHeaders(),
        body: Buffer.concat(chunks).toString(),
      });
      for (const problem of problems) {
        const line = `${method} ${url}: ${problem}`;
        broken.push(line);
        console.error(`A response breaks openapi.json: ${line}`);
      }
    });
  });
  return () => {
    if (broken.length === 0) return;
    const lines = broken.splice(0);
    throw new Error(
      `${lines.length} responses break openapi.json (after changing the contract, run npm run openapi):\n` +
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
