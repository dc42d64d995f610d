import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Draft, fetchChat, sendMessage } from '#app/components/web-chat/chat-api.ts';
import { writeToken } from '#app/components/web-chat/chat-storage.ts';

const SHOP = 'shop';

type Request = { path: string; token: string | null; message: unknown };
const requests: Request[] = [];
let respond: (request: Request) => Response | Promise<Response>;

beforeEach(() => {
  requests.length = 0;
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    const token = new Headers(headers).get('authorization')?.replace('Bearer ', '') ?? null;
    const message = body instanceof FormData ? body.get('content') : null;
    const request = { path: url.replace('/api/chat/', ''), token, message };
    requests.push(request);
    return respond(request);
  });
});
afterEach(() => {
  writeToken(SHOP, null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the first messages of a visitor, sent at the same time, come from one visitor and keep their order', async () => {
  respond = registering();
  await Promise.all([send('Hello'), send('Where is my parcel?'), send('Anyone there?')]);
  expect(requests).toEqual([
    { path: 'visitors', token: null, message: null },
    { path: 'messages', token: 'visitor 1', message: 'Hello' },
    { path: 'messages', token: 'visitor 1', message: 'Where is my parcel?' },
    { path: 'messages', token: 'visitor 1', message: 'Anyone there?' },
  ]);
});

test('a message after one that failed is sent', async () => {
  const accept = registering();
  respond = (request) =>
    request.message === 'Hello' ? Response.json({ message: 'Too long' }, { status: 422 }) : accept(request);
  const first = send('Hello');
  const second = send('Where is my parcel?');
  await expect(first).rejects.toThrow('Too long');
  await second;
  expect(requests.at(-1)?.message).toBe('Where is my parcel?');
});

test('a message waits thirty seconds at most for one whose request hangs', async () => {
  vi.useFakeTimers();
  const accept = registering();
  respond = (request) => (request.message === 'Hello' ? new Promise(() => undefined) : accept(request));
  void send('Hello');
  const second = send('Where is my parcel?');
  await vi.advanceTimersByTimeAsync(29_999);
  expect(requests.at(-1)?.message).toBe('Hello');
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(requests.at(-1)?.message).toBe('Where is my parcel?');
});

test('a late response about a removed visitor does not remove the visitor who has registered since', async () => {
  writeToken(SHOP, 'removed');
  const accept = registering();
  const late = Promise.withResolvers<Response>();
  respond = (request) => {
    if (request.path === 'conversation') return late.promise;
    const isRefused = request.path === 'messages' && request.token === 'removed';
    return isRefused ? unknownVisitor() : accept(request);
  };
  const reading = fetchChat(SHOP);
  await send('Hello');
  late.resolve(unknownVisitor());
  expect(await reading).toBeNull();
  await send('Where is my parcel?');
  expect(requests.map(({ path, token }) => [path, token])).toEqual([
    ['conversation', 'removed'],
    ['messages', 'removed'],
    ['visitors', 'removed'],
    ['messages', 'visitor 1'],
    ['messages', 'visitor 1'],
  ]);
});

test('messages whose registrations overlap, because one hangs or another tab sends one, come from one visitor', async () => {
  vi.useFakeTimers();
  const hanging = Promise.withResolvers<Response>();
  const accept = registering();
  respond = (request) => (requests.length === 1 ? hanging.promise : accept(request));
  const first = send('Hello');
  const second = send('Where is my parcel?');
  await vi.advanceTimersByTimeAsync(30_000);
  await second;
  hanging.resolve(Response.json({ token: 'visitor of the hanging request' }));
  await first;
  expect(requests.map(({ path, token, message }) => [path, token, message])).toEqual([
    ['visitors', null, null],
    ['visitors', null, null],
    ['messages', 'visitor 1', 'Where is my parcel?'],
    ['messages', 'visitor 1', 'Hello'],
  ]);
});

test('a message of a removed visitor comes from the one whom another tab has registered since', async () => {
  writeToken(SHOP, 'removed');
  respond = ({ token }) => {
    if (token !== 'removed') return Response.json({});
    writeToken(SHOP, 'visitor of the other tab');
    return unknownVisitor();
  };
  await send('Hello');
  expect(requests.map(({ path, token }) => [path, token])).toEqual([
    ['messages', 'removed'],
    ['messages', 'visitor of the other tab'],
  ]);
});

/** Registers each new visitor under the next number, and accepts every message. */
function registering(): typeof respond {
  let visitors = 0;
  return ({ path }) => {
    if (path !== 'visitors') return Response.json({});
    visitors += 1;
    return Response.json({ token: `visitor ${visitors}` });
  };
}

function unknownVisitor(): Response {
  return Response.json({ message: 'This chat has ended.' }, { status: 401 });
}

function send(content: string) {
  const draft: Draft = { id: content, content, name: '', email: '', files: [] };
  return sendMessage(SHOP, draft);
}
