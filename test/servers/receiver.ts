import { mkdtemp, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A request as the platform's hook receiver got it. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string };
/** What the receiver answers; `hang` never does, `never ends` begins, `break off` closes the connection instead. */
export type ScriptedResponse =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'never ends'
  | 'break off';
/** What the receiver answers a request with, at once or when it is ready to. */
export type Script = (request: Received) => ScriptedResponse | Promise<ScriptedResponse>;

/**
 * A real HTTPS receiver with a certificate for `host`. It answers with what the script returns for each request.
 * `caFile` and `connectTo` are the settings with which the service reaches it.
 */
export async function startReceiver(host: string) {
  const received: Received[] = [];
  let script: Script = () => ({ status: 200 });
  const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  });
  const caFile = join(await mkdtemp(join(tmpdir(), 'receiver-')), 'ca.pem');
  await writeFile(caFile, cert);

  const server = createServer({ key, cert }, async (req, res) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of req) chunks.push(chunk);
    } catch {
      // Its sender was killed before it had sent all of it.
      return;
    }
    const request = { path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() };
    received.push(request);
    const scripted = await script(request);
    if (scripted === 'hang') return;
    if (scripted === 'never ends') {
      res.write('well, ');
      return;
    }
    if (scripted === 'break off') {
      req.socket.destroy();
      return;
    }
    res.writeHead(scripted.status, scripted.headers).end(scripted.body);
  });
  // A client without processor time would send on connections that are being closed.
  server.keepAliveTimeout = 0;
  let connections = 0;
  server.on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    /** How many connections were made so far. */
    connections: () => connections,
    caFile,
    connectTo: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Scripts the responses from now on. */
    respond: (respondWith: Script) => {
      script = respondWith;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
