import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';
import { until } from '#scripts/tools/processes.ts';
import { codeOf, UserError } from '#server/core/user-error.ts';

/**
 * Ports below the ephemeral range, which systems assign to outgoing connections and to port 0 (from 32,768
 * on Linux, from 49,152 on macOS and Windows).
 */
const FREE_PORTS = { from: 20_000, to: 32_000 };

/** Finds a free port on 127.0.0.1 that no other connection gets before it is used. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to);
    const found = await listenBriefly({ port, host: '127.0.0.1' }).catch(unlessInUse);
    if (found !== undefined) return found;
  }
}

function unlessInUse(error: unknown): undefined {
  if (codeOf(error) !== 'EADDRINUSE') throw error;
}

export async function chooseFreePort(usual: number): Promise<number> {
  return await listenBriefly({ port: usual }).catch(findFreePort);
}

/** Time for processes of an earlier run to end, in ms. */
const LEFTOVER_MS = 3_000;

/**
 * Waits for a port to become free: a service whose `npm start` was killed does not end immediately.
 * @throws UserError with the setting when the port stays taken for three seconds or may not be used
 */
async function waitForPort(port: number, setting: string, host?: string): Promise<void> {
  let error: unknown;
  const isFree = () =>
    listenBriefly({ port, ...(host ? { host } : {}) }).catch((reason: unknown) => {
      error = reason;
    });
  if (await until(async () => (await isFree()) !== undefined, LEFTOVER_MS)) return;
  const code = codeOf(error);
  const why = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
  throw new UserError(`Port ${port} ${why}: free it, or set ${setting} to another port.`);
}

/**
 * Waits for several ports at once.
 * @throws UserError with a line for each port that stays taken or may not be used
 */
export async function waitForPorts(ports: { port: number; setting: string; host?: string }[]): Promise<void> {
  const waited = await Promise.allSettled(
    ports.map(({ port, setting, host }) => waitForPort(port, setting, host)),
  );
  const errors = waited.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const unexpected = errors.find((error) => !(error instanceof UserError));
  if (unexpected) throw unexpected;
  if (errors.length > 0) throw new UserError(errors.map(({ message }) => message).join('\n'));
}

async function listenBriefly(options: ListenOptions): Promise<number> {
  const server = createServer().listen(options);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
