import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The attacker's knowledge: the service, the token and a file of a chat visitor, and the deadline of the
 * attack.
 */
export type Target = {
  url: URL;
  token: string;
  fileId: string | null;
  address: string;
  deadline: number;
  /** Session and workspace of a teammate who attacks pages. */
  cookie?: string;
  workspaceId?: string;
};

/** An attempt. It may fail in any way that the service refuses it. */
export type Attack = (target: Target) => Promise<void>;

const BOUNDARY = 'drill';
const MEGABYTE = 1024 * 1024;
/** Content of files, generated once: generating it per attempt would take processor time from the service. */
const BYTES = randomBytes(10 * MEGABYTE);
/** Timeout after which the attacker gives up an open connection, in ms. */
const TIMEOUT_MS = 20_000;

/** The attacks of a stranger on the web chat and on other public endpoints, by name. */
export const ATTACKS: Record<string, Attack> = {
  'file name of 60 kB of spaces': (target) => upload(target, { name: `a${' '.repeat(60_000)}b`, bytes: 10 }),
  'file name of 60 kB of dots': (target) => upload(target, { name: `a${'.'.repeat(60_000)}b`, bytes: 10 }),
  'half a body': (target) => sendRaw(target, { ...messageHead(target, 20 * MEGABYTE), body: BYTES }),
  'a body byte by byte': trickle,
  'two boundaries and 100,000 parts': (target) =>
    sendWhole(
      target,
      'multipart/form-data; x="; boundary=zzz"; boundary=b',
      `--b\r\n\r\n\r\n`.repeat(100_000),
    ),
  'a header of a part without end': (target) =>
    sendWhole(
      target,
      `multipart/form-data; boundary=${BOUNDARY}`,
      `--${BOUNDARY}\r\nx: ${'y'.repeat(2 * MEGABYTE)}`,
    ),
  'an upload of 9 MB': (target) => upload(target, { name: 'large.bin', bytes: 9 * MEGABYTE }),
  'a download that nobody reads': unreadDownload,
  'Basic and 14,000 spaces': (target) =>
    request(target, '/oauth/token', {
      method: 'POST',
      headers: { authorization: `Basic ${'a'.repeat(100)}${' '.repeat(14_000)}x` },
      body: new URLSearchParams({ grant_type: 'refresh_token' }),
    }),
  'a wrong password': (target) =>
    request(target, '/api/auth/sign-in/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: target.url.origin },
      body: JSON.stringify({ email: 'owner@demo.test', password: randomUUID() }),
    }),
  'an unknown bearer': (target) =>
    request(target, '/api/automation/v1/me', { headers: { authorization: `Bearer kza_${randomUUID()}` } }),
  'an undecodable path': (target) => request(target, '/attachments/%E0%A4%A'),
  'reading a chat again and again': (target) =>
    request(target, '/api/chat/conversation', { headers: bearer(target) }),
  'headers line by line': slowHeaders,
};

const bearer = ({ token }: Target) => ({ authorization: `Bearer ${token}` });

export async function request({ url, address }: Target, path: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(new URL(path, url), {
    ...init,
    headers: {
      'x-forwarded-for': address,
      'sec-fetch-site': 'same-origin',
      ...Object.fromEntries(new Headers(init.headers)),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.arrayBuffer();
}

function sendWhole(
  target: Target,
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const headers = { ...bearer(target), 'content-type': contentType };
  return request(target, '/api/chat/messages', { method: 'POST', headers, body });
}

function upload(target: Target, file: { name: string; bytes: number }): Promise<void> {
  return sendWhole(target, `multipart/form-data; boundary=${BOUNDARY}`, new Uint8Array(messageWith(file)));
}

/** Returns the multipart body of a visitor's message with one file. */
export function messageWith({ name, bytes }: { name: string; bytes: number }): Buffer {
  const field = (disposition: string, value: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]);
  return Buffer.concat([
    field('name="id"', randomUUID()),
    field('name="content"', 'Hello'),
    field(`name="files"; filename="${name}"`, BYTES.subarray(0, bytes)),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

function messageHead({ url, token, address }: Target, length: number): { head: string } {
  return {
    head: [
      'POST /api/chat/messages HTTP/1.1',
      `Host: ${url.host}`,
      `Authorization: Bearer ${token}`,
      `X-Forwarded-For: ${address}`,
      'Sec-Fetch-Site: same-origin',
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      `Content-Length: ${length}`,
      '\r\n',
    ].join('\r\n'),
  };
}

/** Sends the bytes and leaves the request unfinished until the service closes it or the timeout expires. */
async function sendRaw(
  { url, deadline }: Target,
  { head, body }: { head: string; body?: Buffer },
): Promise<void> {
  await onSocket(url, deadline, (socket) => {
    socket.write(head);
    if (body) socket.write(body);
    socket.resume();
  });
}

async function trickle(target: Target): Promise<void> {
  const { head } = messageHead(target, MEGABYTE);
  await onSocket(target.url, target.deadline, async (socket, isOver) => {
    socket.write(head);
    socket.resume();
    for (const byte of messageWith({ name: 'slow.bin', bytes: 1_000 })) {
      if (isOver()) return;
      socket.write(Buffer.of(byte));
      await sleep(500);
    }
  });
}

async function slowHeaders({ url, deadline }: Target): Promise<void> {
  await onSocket(url, deadline, async (socket, isOver) => {
    socket.write(`GET / HTTP/1.1\r\nHost: ${url.host}\r\n`);
    socket.resume();
    for (let line = 0; !isOver() && line < 100; line += 1) {
      socket.write(`X-${line}: ${line}\r\n`);
      await sleep(500);
    }
  });
}

/** Requests a file and never reads the response. */
async function unreadDownload(target: Target): Promise<void> {
  const { url, token, fileId, address, deadline } = target;
  if (fileId === null) return;
  await onSocket(url, deadline, (socket) => {
    socket.write(
      `GET /api/chat/attachments/${fileId} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\n` +
        `X-Forwarded-For: ${address}\r\nSec-Fetch-Site: same-origin\r\n\r\n`,
    );
    socket.pause();
  });
}

type Socket = ReturnType<typeof connect>;

/** Opens a connection until the service closes it, the timeout expires or the deadline passes. */
export async function onSocket(
  url: URL,
  deadline: number,
  work: (socket: Socket, isOver: () => boolean) => void | Promise<void>,
): Promise<void> {
  const socket = connect(Number(url.port), '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  await Promise.race([new Promise<void>((resolve) => socket.once('connect', resolve)), closed]);
  const working = Promise.resolve(work(socket, () => socket.destroyed)).catch(() => undefined);
  const timeout = sleep(Math.max(0, Math.min(TIMEOUT_MS, deadline - performance.now())), undefined, {
    ref: false,
  });
  await Promise.race([closed, timeout]);
  socket.destroy();
  await working;
}
