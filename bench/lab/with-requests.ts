import { FILLING, filledDatabase, fillInbox } from '#bench/lab/fill-inbox.ts';
import { startLab } from '#bench/lab/lab.ts';
import { type MeasuredProgram, startMeasured } from '#bench/lab/measured-program.ts';
import { startRequestLoad } from '#bench/lab/request-load.ts';
import { connectStage, fillStage, type RequestStage } from '#bench/lab/request-stage.ts';
import { closeDatabase } from '#server/core/database/db.ts';
import { setTestSettings } from '#test/servers/settings.ts';

/** `isKept`: the workspace is the one of all benchmarks that only read. `floor`: environment variables of the bare program. */
export type RequestOptions = { conversations: number; isKept?: boolean; floor?: Record<string, string> };

export type RequestBench = {
  url: string;
  stage: RequestStage;
  load: Awaited<ReturnType<typeof startRequestLoad>>;
  ours: MeasuredProgram;
  floor: MeasuredProgram;
};

/** Gives a benchmark a filled workspace, the server, the bare program and the load, and takes them away afterwards. */
export async function withRequests(
  { conversations, isKept = false, floor: floorEnv = {} }: RequestOptions,
  work: (bench: RequestBench) => Promise<void>,
): Promise<void> {
  const lab = await startLab(isKept ? FILLING : {});
  try {
    const url = isKept ? await filledDatabase(lab, conversations) : lab.url;
    setTestSettings({ DATABASE_URL: url, LOG_LEVEL: 'info' });
    const stage = isKept ? await keptStage(url, conversations) : await fillStage(url, conversations);
    await using load = await startRequestLoad();
    await using ours = await startMeasured('test/servers/serve.ts');
    await using floor = await startMeasured('bench/programs/request-floor.ts', floorEnv);
    await work({ url, stage, load, ours, floor });
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

async function keptStage(url: string, conversations: number): Promise<RequestStage> {
  const { workspaceId } = await fillInbox(url, conversations);
  return connectStage(url, workspaceId);
}
