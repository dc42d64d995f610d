import type { Server } from 'node:http';

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const;

/**
 * For how long a connection may rest between two requests, in milliseconds. After Node's five seconds a busy machine closes
 * it just as the next request comes, which is lost.
 */
const KEEP_ALIVE = 75_000;

/**
 * Listens on a port of both loopback addresses, since `localhost` may mean either. A machine without IPv6
 * is content with one. Connections stay open between requests.
 *
 * @param makeServer makes one server per address
 * @throws StartError when the port is taken or not allowed
 */
export async function listen(makeServer: () => Server, port: number, setting: string): Promise<Server[]> {
  const servers: Server[] = [];
  for (const address of LOOPBACK_ADDRESSES) {
    const server = makeServer();
    server.keepAliveTimeout = KEEP_ALIVE;
    const problem = await tryListen(server, port, address);
    if (problem === undefined) servers.push(server);
    else if (problem === 'EADDRINUSE') {
      throw new StartError(`Port ${port} is already in use: end what uses it, or set ${setting} to another.`);
    } else if (address === '127.0.0.1' || problem === 'EACCES') {
      throw new StartError(`Port ${port} cannot be listened on (${problem}): set ${setting} to another.`);
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

/** The program cannot start; the message is a sentence for the person who started it. */
export class StartError extends Error {}
