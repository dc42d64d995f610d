import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail server that accepts every connection, sends its greeting, and then hangs. */
export type HangingMailServer = {
  url: string;
  /** Returns the number of open connections. */
  open(): number;
  /** Returns the largest number of connections that were open at a time. */
  most(): number;
  stop(): Promise<void>;
};

/** @param onConnection runs when a client connects, with a promise that resolves when it disconnects */
export async function startHangingMailServer(
  onConnection: (closed: Promise<void>) => void = () => undefined,
): Promise<HangingMailServer> {
  const sockets = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    most = Math.max(most, sockets.size);
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => {
        sockets.delete(socket);
        resolve();
      });
    });
    onConnection(closed);
    // Without reading, the server would not see that the client closes the connection.
    socket.resume().write('220 hanging.test ESMTP\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => sockets.size,
    most: () => most,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
