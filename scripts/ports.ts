import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf, ExplainedError } from '#scripts/explained-error.ts';

/** A port of 127.0.0.1 that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

/** Throws an `ExplainedError` naming the setting when its port is taken or may not be listened on. */
export async function assertPortFree(port: number, setting: string, host?: string): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port, ...(host ? { host } : {}) });
    await once(server, 'listening');
  } catch (error) {
    const why =
      codeOf(error) === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${codeOf(error)})`;
    throw new ExplainedError(`Port ${port} ${why}: free it, or set ${setting} to another port.`);
  }
  server.close();
  await once(server, 'close');
}
