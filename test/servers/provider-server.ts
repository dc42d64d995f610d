import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the stand-in of a provider received. */
export type ProviderCall = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  raw: Buffer;
  /** The JSON body or the form fields; empty for other bodies. */
  body: Record<string, unknown>;
};

/** A scripted response: a status (default 200) with JSON or bytes; `hang` never responds, `break` closes the connection. */
export type ProviderResponse =
  | { status?: number; headers?: Record<string, string>; json?: unknown; bytes?: Buffer }
  | 'hang'
  | 'break';

export type ProviderServer = {
  url: string;
  calls: ProviderCall[];
  /** Scripts the responses from now on. */
  respond(script: (call: ProviderCall) => ProviderResponse | Promise<ProviderResponse>): void;
  stop(): Promise<void>;
};

/** Starts the API of a provider on a real socket, scripted by the test. */
export async function startProvider(): Promise<ProviderServer> {
  const calls: ProviderCall[] = [];
  let script: Parameters<ProviderServer['respond']>[0] = () => ({ status: 404, json: {} });
  const server = createServer(async (req, res) => {
    const pieces: Buffer[] = [];
    for await (const piece of req) pieces.push(piece as Buffer);
    const raw = Buffer.concat(pieces);
    const { method = '', url: path = '', headers } = req;
    const call = { method, path, headers, raw, body: await bodyOf(raw, headers['content-type'] ?? '') };
    calls.push(call);
    const response = await script(call);
    if (response === 'hang') return;
    if (response === 'break') return void req.socket.destroy();
    const { status = 200, headers: own = {}, json, bytes } = response;
    res.writeHead(status, bytes ? own : { 'content-type': 'application/json', ...own });
    res.end(bytes ?? JSON.stringify(json ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    respond: (given) => {
      script = given;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(raw: Buffer, type: string): Promise<Record<string, unknown>> {
  if (/json/.test(type)) return JSON.parse(raw.toString('utf8'));
  if (!/form/.test(type)) return {};
  const form = await new Response(Uint8Array.from(raw), { headers: { 'content-type': type } }).formData();
  return Object.fromEntries(form);
}
