import type { Server } from 'node:http';

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const;

/**
 * Keep-alive timeout, in ms. With Node's default of five seconds, a busy machine closes a connection just as the next
 * request arrives, and the request is lost.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * Listens on a port of both loopback addresses, as `localhost` may resolve to either. IPv6 is optional.
 * @param makeServer creates one server per address
 * @throws StartError when the port is taken or not permitted
 */
export async function listen(makeServer: () => Server, port: number, setting: string): Promise<Server[]> {
  const servers: Server[] = [];
  for (const address of LOOPBACK_ADDRESSES) {
    const server = makeServer();
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    const problem = await tryListen(server, port, address);
    if (problem === undefined) servers.push(server);
    else if (problem === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} is already in use. Stop the other program, or set ${setting} to another port.`,
      );
    } else if (address === '127.0.0.1' || problem === 'EACCES') {
      throw new StartError(`Port ${port} cannot be used (${problem}). Set ${setting} to another port.`);
    }
  }
  return servers;
}

function tryListen(server: Server, port: number, address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: address, ipv6Only: true }, () => {
      server.removeAllListeners('error');
      resolve(undefined);
    });
  });
}

/** The program cannot start; the message is for the person who started it. */
export class StartError extends Error {}
