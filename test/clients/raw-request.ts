import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: unknown };

/**
 * Sends a request unchanged, which `fetch` would normalize: any method and path, only the given headers, and
 * a body of any bytes. A body in pieces is sent chunked, without a length.
 */
export function rawRequest(
  url: string,
  given: {
    method: string;
    path: string;
    headers?: OutgoingHttpHeaders;
    body?: string | Buffer | Buffer[];
    agent?: Agent;
  },
): Promise<RawResponse> {
  const { method, path, headers = {}, body, agent } = given;
  return new Promise((resolve, reject) => {
    const req = request(new URL(url), { method, path, headers, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: text === '' ? null : JSON.parse(text),
        });
      });
    });
    req.on('error', reject);
    if (Array.isArray(body)) for (const piece of body) req.write(piece);
    else if (body !== undefined) req.setHeader('Content-Length', Buffer.byteLength(body));
    req.end(Array.isArray(body) ? undefined : body);
  });
}
