import type { Server, ServerResponse } from 'node:http';
import { API_PATH } from '#server/core/env.ts';
import { validateResponse } from '#test/servers/validate-response.ts';

/**
 * Holds every response of `{api_base}/*` that a server sends against `openapi.json`. What breaks the contract is
 * said at once.
 * @returns what to call when the server has ended: it throws if any answer broke the contract
 */
export function watchResponses(server: Server): () => void {
  const broken: string[] = [];
  server.prependListener('request', (req, res) => {
    const { method = '', url = '' } = req;
    const [address = ''] = url.split('?', 1);
    if (address !== API_PATH && !address.startsWith(`${API_PATH}/`)) return;
    const chunks = keepBody(res);
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
        console.error(`An answer breaks openapi.json: ${line}`);
      }
    });
  });
  return () => {
    if (broken.length === 0) return;
    throw new Error(
      `${broken.length} answers break openapi.json (after changing the contract, run npm run openapi):\n` +
        broken.join('\n'),
    );
  };
}

/** Keeps what is written to a response, which goes out all the same. */
function keepBody(res: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  for (const name of ['write', 'end'] as const) {
    const send = res[name];
    Object.defineProperty(res, name, {
      value: (...args: unknown[]) => {
        keep(args[0]);
        return Reflect.apply(send, res, args);
      },
    });
  }
  return chunks;
}
