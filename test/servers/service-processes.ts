import { type ChildProgram, startProgram } from '#scripts/tools/child-program.ts';

/** A server in a separate process, on a real socket. */
export type ServerProcess = ChildProgram & { url: string };

/**
 * Starts a server.
 * @param settings additional to those of this process, which `setTestSettings` has set
 */
export async function startServerProcess(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startProgram<number>('test/servers/serve.ts', settings);
  return { ...server, url: `http://127.0.0.1:${server.message}` };
}

/** A worker in a separate process. */
export type WorkerProcess = ChildProgram;

/**
 * Starts a worker.
 * @param settings additional to those of this process, which `setTestSettings` has set
 */
export function startWorkerProcess(settings: Record<string, string> = {}): Promise<WorkerProcess> {
  return startProgram('worker/main.ts', settings);
}
