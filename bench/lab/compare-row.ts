import { compare, type FigureOf } from '#bench/compare.ts';
import { FILLING, filledDatabase, fillInbox } from '#bench/lab/fill-inbox.ts';
import { startLab } from '#bench/lab/lab.ts';
import { measureRow } from '#bench/lab/measure-row.ts';
import { type MeasuredProgram, startMeasured } from '#bench/lab/measured-program.ts';
import { startRequestLoad } from '#bench/lab/request-load.ts';
import { connectStage, fillStage, type RequestStage } from '#bench/lab/request-stage.ts';
import type { Row } from '#bench/lab/rows.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { setTestSettings } from '#test/servers/settings.ts';

/** Compares one kind of request with the bare program, in a newly filled workspace. */
export async function compareRow(
  benchmark: string,
  row: Row,
  { rounds, figures, ...options }: RequestOptions & { rounds: number; figures: Record<string, FigureOf> },
): Promise<void> {
  await withRequests(options, async ({ url, stage, load, ours, floor }) => {
    const requests = async () => row.make(stage, url);
    const side = (name: string, program: typeof ours) => ({
      name,
      measure: () => measureRow({ program, load, row, url, title: name, requests }),
    });
    const sides = [side('the service', ours), side('a bare program', floor)];
    // Warm-up: compiles code, prepares statements and opens connections.
    for (const { measure } of sides) await measure();
    await compare(benchmark, {
      rounds,
      figures: {
        ...figures,
        'processor time of a request': { unit: 'ms' },
        'statements of a request': { unit: '' },
      },
      sides,
    });
  });
}

/**
 * `isShared`: use the workspace that all read-only benchmarks share. `floor`: environment variables of the bare
 * program.
 */
type RequestOptions = { conversations: number; isShared?: boolean; floor?: Record<string, string> };

type RequestBench = {
  url: string;
  stage: RequestStage;
  load: Awaited<ReturnType<typeof startRequestLoad>>;
  ours: MeasuredProgram;
  floor: MeasuredProgram;
};

/**
 * Runs `work` with a filled workspace, the server, the bare program and the load, and stops them afterwards.
 */
async function withRequests(
  { conversations, isShared = false, floor: floorEnv = {} }: RequestOptions,
  work: (bench: RequestBench) => Promise<void>,
): Promise<void> {
  const lab = await startLab(isShared ? FILLING : {});
  try {
    const url = isShared ? await filledDatabase(lab, conversations) : lab.url;
    setTestSettings({ DATABASE_URL: url, LOG_LEVEL: 'info' });
    const stage = isShared ? await sharedStage(url, conversations) : await fillStage(url, conversations);
    await using load = await startRequestLoad();
    await using ours = await startMeasured('test/servers/serve.ts');
    await using floor = await startMeasured('bench/programs/request-floor.ts', floorEnv);
    await work({ url, stage, load, ours, floor });
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

async function sharedStage(url: string, conversations: number): Promise<RequestStage> {
  const { workspaceId } = await fillInbox(url, conversations);
  return connectStage(url, workspaceId);
}
