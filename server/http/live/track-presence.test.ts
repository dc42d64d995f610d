import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Presence } from '#server/core/live/presence-messages.ts';
import { type PresentTeammate, trackPresence } from '#server/http/live/track-presence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a page that reports nothing for 75 s is no longer present', () => {
  const { server, published, report } = openServer();
  report({ conversationId: CONVERSATION });
  expect(published.at(-1)?.open).toHaveLength(1);
  advance(server, 74_000);
  expect(published.at(-1)?.open).toHaveLength(1);
  advance(server, 5_000);
  expect(published.at(-1)?.open).toEqual([]);
});

test('a page that reports no further typing for 10 s only views the conversation', () => {
  const { server, published, report } = openServer();
  report({ conversationId: CONVERSATION, isTyping: true });
  expect(published.at(-1)?.open).toEqual([{ conversationId: CONVERSATION, isTyping: true }]);
  advance(server, 15_000);
  expect(published.at(-1)?.open).toEqual([{ conversationId: CONVERSATION, isTyping: false }]);
});

test('a server that no longer publishes is forgotten after 25 s, and its pages have left', () => {
  const { server, delivered } = openServer();
  const other = { ...OWNER, userId: randomUUID(), name: 'Ben', serverId: randomUUID() };
  server.receive({ ...other, open: [{ conversationId: CONVERSATION, isTyping: false }] });
  vi.advanceTimersByTime(1_000);
  expect(delivered.at(-1)).toMatchObject([{ userId: other.userId, name: 'Ben' }]);
  advance(server, 20_000);
  expect(server.list(OWNER.workspaceId)).toHaveLength(1);
  advance(server, 10_000);
  expect(server.list(OWNER.workspaceId)).toEqual([]);
  expect(delivered.at(-1)).toEqual([{ userId: other.userId, name: '', open: [] }]);
});

test('a teammate is typing if one of their pages is, on any server', () => {
  const { server, report } = openServer();
  report({ conversationId: CONVERSATION });
  const elsewhere = { ...OWNER, serverId: randomUUID() };
  server.receive({ ...elsewhere, open: [{ conversationId: CONVERSATION, isTyping: true }] });
  expect(server.list(OWNER.workspaceId)).toEqual([
    { userId: OWNER.userId, name: OWNER.name, open: [{ conversationId: CONVERSATION, isTyping: true }] },
  ]);
});

test('the same report again publishes nothing until the next refresh', () => {
  const { server, published, report } = openServer();
  report({ conversationId: CONVERSATION });
  const count = published.length;
  for (let i = 0; i < 100; i += 1) report({ conversationId: CONVERSATION });
  expect(published).toHaveLength(count);
  advance(server, 12_500);
  expect(published.length).toBeGreaterThan(count);
});

test('a page that switched to another workspace has left the previous one', () => {
  const { server, published, removePage, report } = openServer();
  report({ conversationId: CONVERSATION });
  server.addPage({ ...OWNER, workspaceId: randomUUID() });
  removePage();
  expect(published.at(-1)).toMatchObject({ workspaceId: OWNER.workspaceId, open: [] });
});

const CONVERSATION = randomUUID();
const OWNER = {
  sessionId: randomUUID(),
  userId: randomUUID(),
  name: 'Ada',
  workspaceId: randomUUID(),
  page: randomUUID(),
};

/** Returns a server with one page. It receives what it publishes. */
function openServer() {
  const published: Presence[] = [];
  const delivered: PresentTeammate[][] = [];
  const server = trackPresence({
    publish: (presence) => {
      published.push(presence);
      server.receive(presence);
    },
    deliver: (_workspaceId, teammates) => delivered.push(teammates),
  });
  const removePage = server.addPage(OWNER);
  const { sessionId, workspaceId, page } = OWNER;
  return {
    server,
    published,
    delivered,
    removePage,
    report: (input: { conversationId: string; isTyping?: boolean }) =>
      server.report({ sessionId, workspaceId, page, isTyping: false, ...input }),
  };
}

/** Advances the clock, with the ticks of the server. */
function advance(server: { tick: () => void }, ms: number): void {
  for (let passed = 0; passed < ms; passed += 500) {
    vi.advanceTimersByTime(500);
    if (passed % 2_500 === 0) server.tick();
  }
}
