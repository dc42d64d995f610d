import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Forwards each connection to one of the running servers in turn, as a balancer of connections does. */
export type Balancer = {
  url: string;
  /** @param urls returns the addresses of the running servers */
  serve(urls: () => string[]): void;
  stop(): Promise<void>;
};

export async function startBalancer(): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let running: () => string[] = () => [];
  let accepted = 0;
  const server = createServer((socket) => {
    const urls = running();
    const url = urls[accepted++ % urls.length];
    if (url === undefined) return socket.destroy();
    const onward = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: (urls) => {
      running = urls;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
