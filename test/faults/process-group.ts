import {
  type ServerProcess,
  startServerProcess,
  startWorkerProcess,
  type WorkerProcess,
} from '#test/servers/service-processes.ts';

/** Servers and workers in separate processes, which end together. */
export type ProcessGroup = {
  startServer(settings?: Record<string, string>): Promise<ServerProcess>;
  startWorker(settings?: Record<string, string>): Promise<WorkerProcess>;
  /** Returns the output of all processes that were started. */
  output(): string;
  /** Kills the processes that still run. */
  killAll(): Promise<void>;
};

/** @param settings environment variables of all processes */
export function processGroup(settings: Record<string, string>): ProcessGroup {
  const started: (ServerProcess | WorkerProcess)[] = [];
  const track = async <Process extends ServerProcess | WorkerProcess>(starting: Promise<Process>) => {
    const running = await starting;
    started.push(running);
    return running;
  };
  return {
    startServer: (more = {}) => track(startServerProcess({ LOG_LEVEL: 'warn', ...settings, ...more })),
    startWorker: (more = {}) => track(startWorkerProcess({ LOG_LEVEL: 'warn', ...settings, ...more })),
    output: () => started.map(({ pid, output }) => `Process ${pid} wrote:\n${output()}`).join('\n'),
    killAll: async () => {
      await Promise.all(started.filter((each) => !each.hasEnded()).map((each) => each.kill()));
    },
  };
}
