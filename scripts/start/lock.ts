import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, realpath } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The right to use a folder. It ends with the process, however that ends. */
export type Lock = { port: number; release(): Promise<void> };

/** Who has the lock already. */
export type Held = { heldBy: number };

/** Below the ports that systems hand out automatically. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
/** A port may be another program's; one of so many will be free. */
const CANDIDATES = 4;
/** A living owner answers within this time, in milliseconds. */
const ANSWER_MS = 3_000;
const ATTEMPTS = 5;
const PAUSE_MS = 80;

/**
 * Locks a folder for this process, or says which process has it. The lock is a socket that listens on 127.0.0.1, on a
 * port computed from the folder's path: the system closes it with its process, so nothing stale is ever left.
 * @throws when the folder cannot be made
 */
export async function lock(folder: string): Promise<Lock | Held> {
  await mkdir(folder, { recursive: true });
  const { key, ports } = await addressOf(folder);
  for (let attempt = 1; ; attempt += 1) {
    const before = await findOwner(key, ports);
    if (before !== undefined) return { heldBy: before };
    const listening = await listenOnFirst(ports, `${key} ${process.pid}`);
    // Of several that came at once, each sees the others now, and all give way for a moment.
    const others = ports.filter((port) => port !== listening?.port);
    const rival = await findOwner(key, others);
    if (listening && rival === undefined) {
      return { port: listening.port, release: () => close(listening.server) };
    }
    if (listening) await close(listening.server);
    if (attempt === ATTEMPTS) {
      if (rival !== undefined) return { heldBy: rival };
      throw new Error(`None of the ports ${ports.join(', ')} of 127.0.0.1, which serve as a lock, is free.`);
    }
    await sleep(Math.random() * PAUSE_MS);
  }
}

/** Whether a living process has locked a folder. */
export async function isLocked(folder: string): Promise<boolean> {
  const address = await addressOf(folder).catch(() => undefined);
  return address !== undefined && (await findOwner(address.key, address.ports)) !== undefined;
}

async function addressOf(folder: string): Promise<{ key: string; ports: number[] }> {
  const digest = createHash('sha256')
    .update(await realpath(folder))
    .digest();
  const ports = Array.from(
    { length: CANDIDATES },
    (_, index) => FIRST_PORT + (digest.readUInt16BE(2 * index) % PORTS),
  );
  return { key: digest.toString('hex'), ports: [...new Set(ports)] };
}

/** The number of the process that answers with our key. */
async function findOwner(key: string, ports: number[]): Promise<number | undefined> {
  const answers = await Promise.all(ports.map(ask));
  const [, pid] = answers.map((text) => text.split(' ')).find(([theirs]) => theirs === key) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/** What a port says unasked, at most a line; empty when no one listens or it says nothing in time. */
async function ask(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (text.length > 200 || text.includes('\n')) socket.destroy();
  });
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'close').catch(() => undefined);
  return text.split('\n', 1)[0] ?? '';
}

async function listenOnFirst(
  ports: number[],
  line: string,
): Promise<{ server: Server; port: number } | undefined> {
  for (const port of ports) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${line}\n`);
    });
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.unref();
      return { server, port };
    } catch {
      // Another program has this port.
    }
  }
  return undefined;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}
