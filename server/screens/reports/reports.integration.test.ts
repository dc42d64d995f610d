import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { countBatch } from '#server/inbox/reports/count-conversations.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { sessionCookie } from '#test/fixtures/teammates.ts';

const DAY = '2026-06-10';
const AT = new Date(`${DAY}T09:00:00Z`);
const query = { from: DAY, to: DAY };

const test = screensTest.extend('ask', ({ teammates: { workspaceId, agent } }) => {
  return (columns: Parameters<typeof makeConversation>[1] = {}) =>
    makeConversation({ workspaceId, teammate: agent }, { createdAt: AT, resolvedAt: null, ...columns });
});

describe('a report', () => {
  test('shows what just happened, with its conversations', async ({
    screensOf,
    ask,
    teammates: { agent },
  }) => {
    const { reports } = await screensOf('admin');
    const id = await ask();
    const report = await reports.get(query);
    expect(report).toMatchObject({ figures: { created: 1 }, timeZone: 'UTC', isByDay: true });
    expect(report.points).toHaveLength(1);
    // Wednesday at nine.
    expect(report.hours[2 * 24 + 9]).toBe(1);
    const listed = await reports.conversations({ ...query, measure: 'created', of: `teammate:${agent.id}` });
    expect(listed).toMatchObject({
      name: agent.name,
      items: [{ id, subject: 'Order', contactName: 'Ada Lovelace', assigneeName: agent.name, day: DAY }],
      next: null,
    });
    const at = (hour: number) => reports.conversations({ ...query, measure: 'created', hour: String(hour) });
    expect([(await at(57)).items.length, (await at(58)).items.length]).toEqual([1, 0]);
  });

  test('compares with the period of the same length before', async ({ screensOf, ask }) => {
    await ask();
    await ask({ createdAt: new Date('2026-06-09T09:00:00Z') });
    await ask({ createdAt: new Date('2026-06-08T09:00:00Z') });
    const { figures, previous, previousPeriod } = await (await screensOf('owner')).reports.get(query);
    expect([figures.created, previous.created]).toEqual([1, 1]);
    expect(previousPeriod).toEqual({ from: '2026-06-09', to: '2026-06-09' });
  });

  test('is shown for any days of the calendar', async ({ screensOf }) => {
    const { reports } = await screensOf('owner');
    for (const [from, to] of [
      ['0001-01-01', '0001-01-05'],
      ['2020-01-01', '9999-12-31'],
      ['9999-12-31', '9999-12-31'],
    ]) {
      for (const read of [reports.get, reports.compare, reports.conversations]) await read({ from, to });
    }
  });

  test('lists numbers page by page', async ({ screensOf, ask }) => {
    for (let n = 0; n < 52; n++) await ask();
    const { reports } = await screensOf('owner');
    await reports.get(query);
    const first = await reports.conversations({ ...query, measure: 'created' });
    const second = await reports.conversations({ ...query, measure: 'created', cursor: first.next ?? '' });
    expect([first.items.length, second.items.length, second.next]).toEqual([50, 2, null]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(52);
  });

  test('does not name a person of another workspace', async ({ screensOf }) => {
    const stranger = await makeUser('Eve Stranger');
    const { reports } = await screensOf('owner');
    expect((await reports.get({ ...query, of: `teammate:${stranger.id}` })).name).toBe('Former teammate');
  });

  test('shows nothing of another workspace', async ({ screensOf }) => {
    const other = await db().workspace.create({ data: { name: 'Other', plan: 'growth' } });
    const { id } = await db().conversation.create({
      data: { workspaceId: other.id, channel: 'email', createdAt: AT },
    });
    await countBatch(other.id);
    expect(await db().conversationFacts.count({ where: { conversationId: id } })).toBe(1);
    const { reports } = await screensOf('owner');
    expect((await reports.get(query)).figures.created).toBe(0);
    expect((await reports.conversations(query)).items).toEqual([]);
  });

  test.for(['agent', 'viewer'] as const)('is refused to an %s', async (role, { screensOf }) => {
    const { reports } = await screensOf(role);
    for (const call of [reports.get, reports.compare, reports.conversations]) {
      await expect(call(query)).rejects.toThrow('owners and admins');
    }
  });
});

describe('the download of a report', () => {
  test('has the chart or the comparison, without formulas', async ({
    service,
    screensOf,
    ask,
    teammates: { admin },
  }) => {
    const id = await ask();
    await db().conversationTag.updateMany({
      where: { conversationId: id },
      data: { key: '=cmd()', name: '=CMD()' },
    });
    await (await screensOf('admin')).reports.get(query);
    const download = async (more: string) => {
      const response = await fetch(`${service.url}/reports.csv?from=${DAY}&to=${DAY}${more}`, {
        headers: { Cookie: await sessionCookie(admin.id) },
      });
      expect(response.status).toBe(200);
      return (await response.text()).trimEnd().split('\r\n');
    };
    expect(await download('')).toEqual([
      '"day","new_conversations","first_responses","median_first_response_seconds","resolved","median_resolution_seconds","sla_met","sla_missed","ratings","satisfied_ratings"',
      `"${DAY}","1","0","","0","","0","0","0","0"`,
    ]);
    expect((await download('&by=tag'))[1]).toBe(`"'=cmd()","1","0","","0","","0","0","0","0"`);
    expect((await download('&by=teammate')).length).toBe(2);
  });

  test('begins with a byte order mark, without which Excel shows other letters in the names of people and tags', async ({
    service,
    teammates: { admin },
  }) => {
    const headers = { Cookie: await sessionCookie(admin.id) };
    for (const path of ['/reports.csv', '/reports.csv?by=teammate', '/settings/audit-log.csv']) {
      const file = await (await fetch(`${service.url}${path}`, { headers })).bytes();
      expect([...file.slice(0, 4)], path).toEqual([0xef, 0xbb, 0xbf, '"'.charCodeAt(0)]);
    }
  });

  test('is refused to agents and to strangers', async ({ service, teammates: { agent } }) => {
    const headers = { Cookie: await sessionCookie(agent.id) };
    expect((await fetch(`${service.url}/reports.csv`, { headers })).status).toBe(403);
    expect((await fetch(`${service.url}/reports.csv`)).status).toBe(403);
  });
});
