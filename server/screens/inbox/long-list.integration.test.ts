import { describe, expect } from 'vitest';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';
import { type InboxReader, makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('large', { scope: 'file' }, ({ service }) => fillLarge(service.url));

describe('in an inbox of generated conversations', () => {
  test('generated conversations are complete: about three messages each, valid ids, and no events', async ({
    large: { workspaceId, list, screens },
  }) => {
    const where = { workspaceId };
    expect(await db().conversation.count({ where })).toBe(MANY);
    const messages = await db().message.count({ where });
    expect(messages / MANY).toBeGreaterThan(2.5);
    expect(messages / MANY).toBeLessThan(3.5);
    expect(await db().event.count({ where })).toBe(0);
    expect(await db().notification.count({ where })).toBe(0);
    const [row] = (await list()).rows;
    const opened = await (await screens()).conversations.get({ id: row?.id ?? '' });
    expect(opened?.conversation).toMatchObject({ id: row?.id, contact: { name: row?.contactName } });
  });

  test('the pages of a filter contain all of its conversations, and the counts agree', async ({
    large: { screens, list, counts },
  }) => {
    const tag = (await (await screens()).inbox.filterChoices()).tags[0] ?? '';
    for (const filter of [{ tag }, { search: 'refund' }, { channel: 'webchat' as const, assignee: 'me' }]) {
      let seen = 0;
      let cursor: string | null = null;
      do {
        const page: InboxPage = await list({ ...filter, rows: 30, ...(cursor ? { cursor } : {}) });
        seen += page.rows.length;
        cursor = page.nextCursor;
      } while (cursor);
      const counted = Object.values(await counts(filter));
      const sum = counted.reduce((before, { count }) => before + count, 0);
      if (counted.some(({ more }) => more)) expect(seen).toBeGreaterThanOrEqual(sum);
      else expect(seen).toBe(sum);
      expect(seen).toBeGreaterThan(0);
    }
  });
});

const MANY = 600;

/** Creates a workspace with `MANY` conversations, read by an agent. */
async function fillLarge(url: string): Promise<InboxReader> {
  const inbox = await makeInboxReader(url);
  const { workspaceId, reader } = inbox;
  await db().member.updateMany({ where: { workspaceId, userId: reader.id }, data: { role: 'agent' } });
  const client = await pool().connect();
  try {
    await fillConversations(client, { workspaceId, count: MANY });
  } finally {
    client.release();
  }
  return inbox;
}
