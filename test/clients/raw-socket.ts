import { connect, type Socket } from 'node:net';

/** A response as it came over the wire; header names in lower case. */
export type WireResponse = { status: number; headers: Record<string, string>; body: string };

/**
 * Writes bytes to a server that no HTTP client would send, and returns the responses once the server has closed the
 * connection. Nothing more than `pieces` is sent, and our side is left open.
 * @throws if the server has not closed it within a minute
 */
export async function sendRaw(url: string, ...pieces: (string | Buffer)[]): Promise<WireResponse[]> {
  const socket = openSocket(url);
  for (const piece of pieces) socket.write(piece);
  return parseResponses(await readUntilClosed(socket));
}

/** A connection to a server, with nothing sent yet. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

/** All that comes until the server closes the connection; then our side is closed too. */
export function readUntilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const patience = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The server keeps the connection open; it said: ${Buffer.concat(chunks)}`));
    }, 60_000);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A connection that is reset is closed as well.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(patience);
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

/** Takes answers with a `Content-Length`, or none, apart. */
export function parseResponses(text: string): WireResponse[] {
  if (text === '') return [];
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const after = rest.join('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [name(line), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const response = { status: Number(statusLine.split(' ')[1]), headers, body: after.slice(0, length) };
  return [response, ...parseResponses(after.slice(length))];
}

function name(line: string): string {
  return line.slice(0, line.indexOf(':')).toLowerCase();
}
