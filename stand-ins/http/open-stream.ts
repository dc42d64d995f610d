import type { ServerResponse } from 'node:http';

/** The open pages. `send` sends a server-sent event to all of them. */
export type Stream = {
  join(res: ServerResponse): void;
  send(name: 'event' | 'changed' | 'reset', data: object): void;
  close(): void;
};

const HEARTBEAT_SECONDS = 20;

/** Opens the event stream of the pages, with a heartbeat so that no proxy closes it. */
export function openStream(): Stream {
  const pages = new Set<ServerResponse>();
  const write = (text: string): void => {
    for (const page of pages) page.write(text);
  };
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_SECONDS * 1_000);
  heartbeat.unref();
  return {
    join(res) {
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      res.write('retry: 1000\n\n');
      pages.add(res);
      res.on('close', () => pages.delete(res));
    },
    send(name, data) {
      write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    close() {
      clearInterval(heartbeat);
      for (const page of pages) page.end();
    },
  };
}
