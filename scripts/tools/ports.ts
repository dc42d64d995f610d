import { once } from 'node:events';
import { createServer } from 'node:net';
import { until } from '#scripts/tools/processes.ts';
import { codeOf, UserError } from '#scripts/tools/user-error.ts';

/** A port of 127.0.0.1 that no one listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

/** How long what an earlier run left behind may take to end, in milliseconds. */
const LEFTOVER_MS = 3_000;

/**
 * Throws a `UserError` naming the setting when its port stays taken for three seconds, or may not be listened on. A
 * service whose `npm start` was killed ends at once, but not sooner.
 */
export async function waitForPort(port: number, setting: string, host?: string): Promise<void> {
  const isFree = () =>
    assertPortFree(port, setting, host).then(
      () => true,
      () => false,
    );
  if (!(await until(isFree, LEFTOVER_MS))) await assertPortFree(port, setting, host);
}

/** Throws a `UserError` naming the setting when its port is taken or may not be listened on. */
export async function assertPortFree(port: number, setting: string, host?: string): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port, ...(host ? { host } : {}) });
    await once(server, 'listening');
  } catch (error) {
    const why =
      codeOf(error) === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${codeOf(error)})`;
    throw new UserError(`Port ${port} ${why}: free it, or set ${setting} to another port.`);
  }
  server.close();
  await once(server, 'close');
}
