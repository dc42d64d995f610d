import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as the device gets it. */
export type PushedMessage = {
  device: string;
  content: { id: string; title: string; body: string; href: string; unread: number };
  topic: string | undefined;
  ttl: number;
  urgency: string | undefined;
};

/** A device that is subscribed, and its keys (RFC 8291 §2). */
type FakeDevice = { auth: Buffer; keys: ReturnType<typeof createECDH> };

/**
 * Starts a push service (RFC 8030) with devices that decrypt what they get. A message is accepted only if it is signed for
 * this service (RFC 8292) and encrypted for the device (RFC 8291).
 */
export async function startPushService() {
  const devices = new Map<string, FakeDevice>();
  const received: PushedMessage[] = [];
  let requests = 0;
  let script: () => number | Promise<number> = () => 201;
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    requests += 1;
    const name = (req.url ?? '').replace('/push/', '');
    const device = devices.get(name);
    const status = device ? await script() : 404;
    if (!device || status !== 201) return void res.writeHead(status).end('Not delivered.');
    try {
      checkSignature(req.headers, origin());
      const content = JSON.parse(decrypt(Buffer.concat(chunks), device));
      const { topic, urgency } = req.headers;
      received.push({
        device: name,
        content,
        topic: topic === undefined ? undefined : String(topic),
        ttl: Number(req.headers.ttl),
        urgency: urgency === undefined ? undefined : String(urgency),
      });
      res.writeHead(201).end();
    } catch (error) {
      res.writeHead(400).end(String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    requests: () => requests,
    respond: (next: typeof script) => {
      script = next;
    },
    /** Adds a device and returns its subscription, as a browser sends it to the app. */
    subscribe: () => {
      const name = randomBytes(12).toString('base64url');
      const keys = createECDH('prime256v1');
      const auth = randomBytes(16);
      devices.set(name, { auth, keys });
      return {
        endpoint: `${origin()}/push/${name}`,
        p256dh: keys.generateKeys('base64url'),
        auth: auth.toString('base64url'),
      };
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Checks `Authorization: vapid t=…, k=…` (RFC 8292 §3). */
function checkSignature({ authorization = '' }: IncomingHttpHeaders, audience: string): void {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const seconds = exp - Date.now() / 1_000;
  if (!isSigned || aud !== audience || !/^(mailto|https):/.test(sub) || seconds <= 0 || seconds > 86_400) {
    throw new Error('The signature is not valid.');
  }
}

/** Decrypts a body of `aes128gcm` with one record (RFC 8188, RFC 8291 §3). */
function decrypt(body: Buffer, { auth, keys }: FakeDevice): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey]);
  const input = Buffer.from(hkdfSync('sha256', keys.computeSecret(senderKey), auth, info, 32));
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${label}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
