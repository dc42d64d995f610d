import { connect, type Socket } from 'node:net';

/** A response as received; header names are in lower case. */
export type WireResponse = { status: number; headers: Record<string, string>; body: string };

/**
 * Sends raw bytes to a server and returns the responses after the server closed the connection. Sends only
 * `pieces`, and leaves our side open.
 * @throws if the server does not close the connection within a minute
 */
export async function sendRaw(url: string, ...pieces: (string | Buffer)[]): Promise<WireResponse[]> {
  const socket = openSocket(url);
  for (const piece of pieces) socket.write(piece);
  return parseResponses(await readUntilClosed(socket));
}

/** Connects to a server, without sending anything. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

/** Returns all bytes received until the server closes the connection, then closes our side. */
export function readUntilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The server does not close the connection; it sent: ${Buffer.concat(chunks)}`));
    }, 60_000);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A reset also closes the connection.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

/** Splits the text into responses, each with a `Content-Length` or without a body. */
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
