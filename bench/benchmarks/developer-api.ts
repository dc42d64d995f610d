import { Pool } from 'undici';
import { compare, type FigureOf } from '#bench/compare.ts';
import { FILLING, filledDatabase, fillInbox } from '#bench/lab/fill-inbox.ts';
import { startLab } from '#bench/lab/lab.ts';
import { measureRow } from '#bench/lab/measure-row.ts';
import { type MeasuredProgram, startMeasured } from '#bench/lab/measured-program.ts';
import { startRequestLoad } from '#bench/lab/request-load.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { DEVELOPER_API_PATH } from '#server/core/env.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const LARGE = scaled(1_000_000);
const SMALL = 1_000;
/** So many that none reaches its limit of 600 calls a minute. */
const TOKENS = 50;
const CALLS = { me: scaled(4_000), page: scaled(500) };
const EVENTS = scaled(20_000);
const EVENTS_PER_PAGE = 100;

/**
 * Measures calls by an API token: `GET /me` and a page of 50 conversations next to a bare program that looks up the token and
 * runs the same statement, that page among 1,000,000 conversations next to one among 1,000, and the events that one cursor
 * reads page by page.
 */
export async function benchDeveloperApi(rounds: number): Promise<void> {
  const lab = await startLab(FILLING);
  try {
    const url = await filledDatabase(lab, LARGE);
    setTestSettings({ DATABASE_URL: url, LOG_LEVEL: 'info' });
    const [small, large] = [await callersOf(url, SMALL), await callersOf(url, LARGE)];
    await using load = await startRequestLoad();
    await using ours = await startMeasured('test/servers/serve.ts');
    await using floor = await startMeasured('bench/programs/developer-floor.ts');
    const side = (
      name: string,
      { program, tokens, path, calls, contains }: Row & { program: MeasuredProgram; tokens: string[] },
    ) => {
      const requests = async () =>
        Array.from({ length: calls }, (_, n) => ({
          method: 'GET' as const,
          path: DEVELOPER_API_PATH + path,
          headers: { authorization: `Bearer ${tokens[n % tokens.length]}` },
        }));
      const row = { concurrency: 32, status: 200, contains };
      return { name, measure: () => measureRow({ program, load, row, url, title: name, requests }) };
    };
    const { tokens } = large;
    const versus = async (title: string, row: Row, atLeast: number) =>
      compareCalls(title, rounds, { 'a second': { unit: '', bars: [{ to: BARE, atLeast }] } }, [
        side('the service', { ...row, program: ours, tokens }),
        side(BARE, { ...row, program: floor, tokens }),
      ]);
    await versus('GET /me by token', ME, 0.8);
    await versus(`a page of 50 conversations among ${LARGE}`, PAGE, 0.5);
    const smallName = `${SMALL} conversations`;
    await compareCalls(
      'a page of 50 conversations as they grow',
      rounds,
      { median: { unit: 'ms', bars: [{ to: smallName, atMost: 1.5 }] } },
      [
        side(`${LARGE} conversations`, { ...PAGE, program: ours, tokens }),
        side(smallName, { ...PAGE, program: ours, tokens: small.tokens }),
      ],
    );
    await fillEvents(small.workspaceId);
    await compare('events from one cursor', {
      rounds,
      figures: { 'a second': { unit: 'events', bars: [{ atLeast: 20_000 }] } },
      sides: [{ name: 'the service', measure: () => readEvents(ours.url, small.tokens) }],
    });
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

type Row = { path: string; calls: number; contains: string };

const BARE = 'a bare program';
const ME: Row = { path: '/me', calls: CALLS.me, contains: '"label"' };
const PAGE: Row = { path: '/conversations?limit=50', calls: CALLS.page, contains: '"priority"' };

async function compareCalls(
  title: string,
  rounds: number,
  figures: Record<string, FigureOf>,
  sides: Parameters<typeof compare>[1]['sides'],
): Promise<void> {
  for (const { measure } of sides) await measure();
  await compare(`developer-api: ${title}`, {
    rounds,
    figures: { ...figures, 'processor time of a request': { unit: 'ms' } },
    sides,
  });
}

/** Fills a workspace, unless an earlier run has, and creates API tokens for it. */
async function callersOf(url: string, conversations: number) {
  const { workspaceId, userId } = await fillInbox(url, conversations);
  const by = await db().user.findUniqueOrThrow({
    where: { id: userId },
    select: { id: true, name: true, email: true },
  });
  await db().apiToken.deleteMany({ where: { workspaceId } });
  const tokens: string[] = [];
  for (let n = 0; n < TOKENS; n += 1)
    tokens.push((await makeApiToken({ abilities: ['read'], where: { workspaceId, by } })).token);
  return { workspaceId, tokens };
}

/** Records events as large as real ones, in place of those of an earlier run. */
async function fillEvents(workspaceId: string): Promise<void> {
  await db().$executeRaw`delete from events where workspace_id = ${workspaceId}::uuid`;
  const { id } = await db().conversation.findFirstOrThrow({
    where: { workspaceId, mergedIntoId: null, removal: null, isTest: false },
  });
  const body = {
    event: 'conversation.tagged',
    occurred_at: timestamp(new Date()),
    conversation: { text: 'x'.repeat(900) },
  };
  await db().$executeRaw`
    with made as materialized (
      select uuid_in(overlay(overlay(overlay(md5(random()::text) placing lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') from 1)
        placing '7' from 13) placing '8' from 17)::cstring) as id from generate_series(1, ${EVENTS}::int)
    )
    insert into events (id, workspace_id, key, body, conversation_id, actor)
    select id, ${workspaceId}::uuid, 'conversation.tagged',
      (${JSON.stringify(body)}::jsonb || jsonb_build_object('id', id))::text, ${id}::uuid,
      '{"type": "automation", "id": null, "name": null}'::jsonb from made`;
  await db().$executeRaw`analyze events`;
}

/** Reads all events page by page with one cursor. Tokens take turns, because one may make 600 calls a minute. */
async function readEvents(url: string, tokens: string[]): Promise<{ 'a second': number }> {
  await db().$executeRaw`truncate rate_limits`;
  const pool = new Pool(url, { connections: 1 });
  const start = performance.now();
  let [after, read, calls, hasMore] = ['', 0, 0, true];
  while (hasMore) {
    const { body, statusCode } = await pool.request({
      method: 'GET',
      path: `${DEVELOPER_API_PATH}/events?limit=${EVENTS_PER_PAGE}&after=${after}`,
      headers: { authorization: `Bearer ${tokens[calls % tokens.length]}` },
    });
    const page = (await body.json()) as { data: object[]; has_more: boolean; next_cursor: string };
    if (statusCode !== 200) throw new Error(`A page of events returned ${statusCode}.`);
    [after, read, calls, hasMore] = [page.next_cursor, read + page.data.length, calls + 1, page.has_more];
  }
  await pool.close();
  if (read !== EVENTS) throw new Error(`${read} of ${EVENTS} events were read.`);
  return { 'a second': read / ((performance.now() - start) / 1_000) };
}
