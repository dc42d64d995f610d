import { randomUUID } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { makeChatVisitor } from '#test/clients/chat-client.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { millisecondsOf } from '#test/fixtures/processor-time.ts';

export const MB = 1024 * 1024;

// Parts of a form with the boundary `b`.

export const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
export const fileHead = (headers = '', name = 'a.bin') =>
  `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n${headers}\r\n`;
export const texts = () => field('id', randomUUID()) + field('content', 'Hello');
export const END = '--b--\r\n';

/** Requests that `closeRequests` closes. */
export const openRequests = new Set<ClientRequest>();

type NewVisitor = () => ReturnType<typeof makeChatVisitor>;

type ChatResponse = { status: number; headers: IncomingMessage['headers']; body: unknown };
type Sending = {
  send(bytes: string | Buffer): void;
  /** Sends, and resolves when everything is written to the socket. */
  sent(bytes: Buffer): Promise<unknown>;
  end(): void;
  response: Promise<ChatResponse>;
};

/** Starts to send a message as a visitor. Without a length the body is chunked. */
function begin(
  url: string,
  token: string,
  {
    address = newAddress(),
    type = 'multipart/form-data; boundary=b',
    length,
    keepsOpen = false,
  }: { address?: string; type?: string; length?: number; keepsOpen?: boolean } = {},
): Sending {
  const req = request(`${url}/api/chat/messages`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': address,
      'content-type': type,
      ...(length === undefined ? {} : { 'content-length': length }),
      ...(keepsOpen ? { connection: 'keep-alive' } : {}),
    },
  });
  openRequests.add(req);
  const response = new Promise<ChatResponse>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: JSON.parse(text) }),
      );
      res.on('error', reject);
    });
  });
  // Most requests in these tests never get a response.
  response.catch(() => undefined);
  return {
    send: (bytes) => void req.write(bytes),
    sent: (bytes) => new Promise((resolve) => req.write(bytes, resolve)),
    end: () => void req.end(),
    response,
  };
}

/** Starts a message whose file never ends. */
export function beginUnfinished(
  url: string,
  token: string,
  given: Parameters<typeof begin>[2] = {},
): Sending {
  const sending = begin(url, token, { length: 5 * MB, ...given });
  sending.send(texts() + fileHead());
  sending.send(Buffer.alloc(10_000));
  return sending;
}

export function closeRequests(): void {
  for (const each of openRequests) each.destroy();
  openRequests.clear();
}

/** Sends a body and returns the response with the duration in ms. */
export async function sendTimed(url: string, token: string, address: string, bytes: number) {
  const start = performance.now();
  const sending = begin(url, token, { address, length: bytes, keepsOpen: true });
  sending.send(texts() + fileHead());
  const head = Buffer.byteLength(texts() + fileHead());
  const sent = sending.sent(Buffer.alloc(bytes - head - 9, 'x'));
  sending.send('\r\n--b--\r\n');
  sending.end();
  const [, response] = await Promise.all([sent, sending.response]);
  return { ms: performance.now() - start, ...response };
}

/** Sends a body and measures the longest blocking of this thread, in ms of processor time. */
export async function sendWhole(url: string, newVisitor: NewVisitor, body: string | Buffer, type?: string) {
  const { token, see } = await newVisitor();
  await see();
  const sending = begin(url, token, type === undefined ? {} : { type });
  sending.send(body);
  sending.end();
  let slowest = 0;
  let isAnswered = false;
  const response = sending.response.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    const before = process.threadCpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 5));
    slowest = Math.max(slowest, millisecondsOf(process.threadCpuUsage(before)));
  }
  return { ...(await response), slowest };
}
