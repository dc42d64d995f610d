import { type ChildProgram, startProgram } from '#scripts/tools/child-program.ts';

/** A worker that runs in a process of its own. */
export type WorkerProcess = ChildProgram;

/** @param settings environment variables besides those of this process, which `setTestSettings` has set */
export function startWorkerProcess(settings: Record<string, string> = {}): Promise<WorkerProcess> {
  return startProgram('worker/main.ts', settings);
}
