import { compare } from '#bench/compare.ts';
import { FILLING, filledDatabase, fillInbox } from '#bench/lab/fill-inbox.ts';
import { startLab } from '#bench/lab/lab.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { countBatch } from '#server/inbox/reports/count-conversations.ts';
import { getComparison, getCounted, getReport } from '#server/screens/reports/get-report.ts';
import { comparisonQuery, listQuery } from '#server/screens/reports/report-query.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const CONVERSATIONS = scaled(1_000_000);
const BATCH = 2_000;
const TARGET = { unit: 'ms', bars: [{ atMost: 300 }] };

/**
 * Measures the report page's reads in a workspace of 1,000,000 conversations, after counting them. The data stays for the next run,
 * so only the first run prints how long counting took.
 */
export async function benchReports(rounds: number): Promise<void> {
  const lab = await startLab(FILLING);
  try {
    const url = await filledDatabase(lab, CONVERSATIONS);
    setTestSettings({ DATABASE_URL: url });
    const { workspaceId, userId, teamId } = await fillInbox(url, CONVERSATIONS);
    const began = performance.now();
    while (await countBatch(workspaceId, BATCH)) {}
    console.log(`Counted in ${Math.round((performance.now() - began) / 1_000)} s.`);
    const ask = (text: string) => ({
      workspaceId,
      query: comparisonQuery.parse(Object.fromEntries(new URLSearchParams(text))),
      now: new Date(),
    });
    const list = (text: string) =>
      getCounted({ ...ask(''), query: listQuery.parse(Object.fromEntries(new URLSearchParams(text))) });
    const reads = {
      '12 months': () => getReport(ask('range=12m')),
      '90 days of a team': () => getReport(ask(`range=90d&of=team:${teamId}`)),
      '12 months of a teammate': () => getReport(ask(`range=12m&of=teammate:${userId}`)),
      'teammates compared, 12 months': () => getComparison(ask('range=12m&by=teammate')),
      'tags compared, 12 months': () => getComparison(ask('range=12m&by=tag')),
      'conversations of a teammate, 12 months': () =>
        list(`range=12m&measure=resolved&of=teammate:${userId}`),
      'conversations of nobody, 12 months': () => list('range=12m&measure=resolved&of=team:none'),
    };
    await compare('reports', {
      rounds,
      figures: Object.fromEntries(Object.keys(reads).map((name) => [name, TARGET])),
      sides: [
        {
          name: `${CONVERSATIONS} conversations`,
          measure: async () => {
            const times: Record<string, number> = {};
            for (const [name, read] of Object.entries(reads)) times[name] = await timeOf(read);
            return times;
          },
        },
      ],
    });
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

/** The slowest of ten calls, in ms. */
async function timeOf(read: () => Promise<unknown>): Promise<number> {
  let slowest = 0;
  for (let n = 0; n < 10; n += 1) {
    const began = performance.now();
    await read();
    slowest = Math.max(slowest, performance.now() - began);
  }
  return slowest;
}
