import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of PostgreSQL that delays or refuses connections, like an overloaded machine. */
export type SlowProxy = {
  /** Returns the URL of the same database through the proxy. */
  url(databaseUrl: string): string;
  /** Delays every new connection by this time, in ms. */
  delay(ms: number): void;
  /** Closes every new connection, until `delay` is called. */
  refuse(): void;
  /** Returns the number of connections opened so far. */
  connections(): number;
  stop(): Promise<void>;
};

/** Starts a proxy without a delay. */
export async function startSlowProxy(): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  let target = { host: '127.0.0.1', port: 0 };
  let delayMs: number | undefined = 0;
  let connections = 0;

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const pass = (client: Socket) => {
    if (client.destroyed) return;
    const database = track(connect(target));
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
    client.pipe(database).pipe(client);
  };
  const server = createServer((client) => {
    connections += 1;
    track(client);
    if (delayMs === undefined) client.destroy();
    else setTimeout(pass, delayMs, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: (databaseUrl) => {
      const through = new URL(databaseUrl);
      target = { host: through.hostname, port: Number(through.port || 5432) };
      through.host = `127.0.0.1:${port}`;
      return through.toString();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    refuse: () => {
      delayMs = undefined;
    },
    connections: () => connections,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
