import { mkdtemp, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A request that the platform's hook receiver got. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string };
/**
 * The receiver's response. `hang` never responds, `never ends` starts one, and `break off` closes the
 * connection. A function writes the response itself.
 */
export type ScriptedResponse =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'never ends'
  | 'break off'
  | ((res: ServerResponse) => void);
/** Returns the response to a request, immediately or later. */
export type Script = (request: Received) => ScriptedResponse | Promise<ScriptedResponse>;

/**
 * Starts an HTTPS receiver with a certificate for `host`. It responds with the result of the script. `caFile`
 * and `connectTo` are the service's settings to reach it.
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
      // The sender was killed before it had sent the complete body.
      return;
    }
    const request = { path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() };
    received.push(request);
    const scripted = await script(request);
    if (scripted === 'hang') return;
    if (typeof scripted === 'function') return scripted(res);
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
  // A slow client could otherwise send on a connection that is being closed.
  server.keepAliveTimeout = 0;
  let connections = 0;
  server.on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    /** Returns the number of connections so far. */
    connections: () => connections,
    caFile,
    connectTo: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    respond: (respondWith: Script) => {
      script = respondWith;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
