import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { sendWithoutScripts, withoutScripts } from '#server/http/pages/next-pages.ts';

const PAGE =
  '<head><link rel="preload" as="script" href="/a.js"/><link rel="stylesheet" href="/a.css"/>' +
  '<script src="/a.js" async=""></script></head><body><form>é</form><script>self.x = "<p>"</script></body>';
const BARE = '<head><link rel="stylesheet" href="/a.css"/></head><body><form>é</form></body>';

test('scripts and their preloads are removed, and the rest is unchanged', () => {
  expect(withoutScripts(PAGE)).toBe(BARE);
  expect(withoutScripts(BARE)).toBe(BARE);
  expect(withoutScripts('<p>cut off<script>self')).toBe('<p>cut off');
});

test('a page that is written in pieces, even within a character, is sent completely without scripts', async () => {
  const socket = new Socket();
  const sent: Buffer[] = [];
  socket.write = ((chunk: string | Uint8Array) => {
    sent.push(Buffer.from(chunk as string));
    return true;
  }) as typeof socket.write;
  const res = new ServerResponse(new IncomingMessage(socket));
  res.assignSocket(socket);
  sendWithoutScripts(res);
  const bytes = Buffer.from(PAGE);
  const within = bytes.indexOf(Buffer.from('é')) + 1;
  res.write(bytes.subarray(0, within));
  await new Promise<void>((resolve) => res.write(bytes.subarray(within), () => resolve()));
  res.end();
  expect(Buffer.concat(sent).toString()).toContain(BARE);
});
