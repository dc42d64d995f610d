import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';
import { until } from '#scripts/tools/processes.ts';
import { codeOf, UserError } from '#server/core/user-error.ts';

/** A port of 127.0.0.1 that no one listens on. */
export async function findFreePort(): Promise<number> {
  return await listenBriefly({ port: 0, host: '127.0.0.1' });
}

/** The usual port, or any free one where another program has that. */
export async function chooseFreePort(usual: number): Promise<number> {
  return await listenBriefly({ port: usual }).catch(findFreePort);
}

/** How long what an earlier run left behind may take to end, in milliseconds. */
const LEFTOVER_MS = 3_000;

/**
 * Throws a `UserError` naming the setting when its port stays taken for three seconds, or may not be listened on. A
 * service whose `npm start` was killed ends at once, but not sooner.
 */
export async function waitForPort(port: number, setting: string, host?: string): Promise<void> {
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

async function listenBriefly(options: ListenOptions): Promise<number> {
  const server = createServer().listen(options);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
