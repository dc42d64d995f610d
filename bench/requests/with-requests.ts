import { startLab } from '#bench/lab.ts';
import { type MeasuredProgram, startMeasured } from '#bench/requests/measured-program.ts';
import { startRequestLoad } from '#bench/requests/request-load.ts';
import { fillStage, type RequestStage } from '#bench/requests/request-stage.ts';
import { closeDatabase } from '#server/ground/db.ts';
import { setTestSettings } from '#test/settings.ts';

/** `floor`: environment variables of the bare program. */
export type RequestOptions = { conversations: number; floor?: Record<string, string> };

export type RequestBench = {
  url: string;
  stage: RequestStage;
  load: Awaited<ReturnType<typeof startRequestLoad>>;
  ours: MeasuredProgram;
  floor: MeasuredProgram;
};

/** Gives a benchmark a filled workspace, the server, the bare program and the load, and takes them away afterwards. */
export async function withRequests(
  { conversations, floor: floorEnv = {} }: RequestOptions,
  work: (bench: RequestBench) => Promise<void>,
): Promise<void> {
  const lab = await startLab();
  try {
    setTestSettings({ DATABASE_URL: lab.url, LOG_LEVEL: 'info' });
    const stage = await fillStage(lab.url, conversations);
    await using load = await startRequestLoad();
    await using ours = await startMeasured('test/serve.ts');
    await using floor = await startMeasured('bench/programs/request-floor.ts', floorEnv);
    await work({ url: lab.url, stage, load, ours, floor });
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}
