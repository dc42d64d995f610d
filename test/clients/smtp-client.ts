import { connect, type Socket } from 'node:net';

/**
 * Opens a connection to a mail listener, on which the test speaks SMTP itself.
 * @param sockets receives the socket, to be destroyed after the test
 */
export async function talkSmtp(port: number, sockets: Socket[]) {
  const socket: Socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let heard = '';
  let closed = false;
  /** Called after data arrived or the connection closed. */
  let look: () => void = () => undefined;
  socket.on('data', (piece) => {
    heard += piece.toString();
    look();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
    look();
  });
  /** Returns the last line of a reply, which has a space after its code; `closed` after the connection closed. */
  const hear = () =>
    new Promise<string>((resolve) => {
      look = () => {
        const line = heard.split('\r\n').find((each) => /^\d{3} /.test(each));
        if (line === undefined && !closed) return;
        if (line !== undefined) heard = heard.slice(heard.indexOf(line) + line.length + 2);
        look = () => undefined;
        resolve(line ?? 'closed');
      };
      look();
    });
  const greeting = await hear();
  return {
    greeting,
    say: (line: string) => {
      socket.write(`${line}\r\n`);
      return hear();
    },
    write: (text: string | Buffer) => socket.write(text),
    hear,
    isClosed: () => closed,
    end: () => socket.destroy(),
  };
}
