import { connect, type Socket } from 'node:net';

/**
 * Opens a connection to a mail listener. The test speaks SMTP itself.
 * @param sockets receives the socket, to be destroyed after the test
 */
export async function talkSmtp(port: number, sockets: Socket[]) {
  const socket: Socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  let closed = false;
  /** Called after data arrived or the connection closed. */
  let onChange: () => void = () => undefined;
  socket.on('data', (piece) => {
    received += piece.toString();
    onChange();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
    onChange();
  });
  /**
   * Returns the last line of a reply, which has a space after its code. Returns `closed` after the connection
   * closed.
   */
  const hear = () =>
    new Promise<string>((resolve) => {
      onChange = () => {
        const line = received.split('\r\n').find((each) => /^\d{3} /.test(each));
        if (line === undefined && !closed) return;
        if (line !== undefined) received = received.slice(received.indexOf(line) + line.length + 2);
        onChange = () => undefined;
        resolve(line ?? 'closed');
      };
      onChange();
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
