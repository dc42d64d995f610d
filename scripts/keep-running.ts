import { setTimeout as sleep } from 'node:timers/promises';
import { planRestart } from '#scripts/restart-plan.ts';
import { type Service, type ServiceOptions, startService } from '#scripts/service.ts';

/** A service together with the promise that it is started again when it dies. */
export type KeptService = {
  name: string;
  /** Of the process that runs now, or ran last. */
  pid(): number;
  ready: Promise<void>;
  stop(graceMs: number, hurried: AbortSignal): Promise<void>;
};

export type KeepOptions = ServiceOptions & {
  restarts: boolean;
  /** Called whenever another process runs the service. */
  onStart: () => void;
};

/**
 * Starts a service and watches over it. One that dies before it was ever ready is a failed start; one that
 * dies later is reported and, if it `restarts`, started again after a growing pause.
 */
export async function keepRunning(options: KeepOptions): Promise<KeptService> {
  const stopping = new AbortController();
  let service = await startService(options);
  options.onStart();
  const watching = service.ready.then(() => watch(service)).catch(() => undefined);

  async function watch(first: Service): Promise<void> {
    const restartedAt: number[] = [];
    for (let current = first; ; current = service) {
      const how = await current.ended;
      if (stopping.signal.aborted) return;
      const pause = options.restarts ? planRestart(restartedAt, performance.now()) : undefined;
      console.error(`The ${options.name} ended unexpectedly: ${how}\n${whatNext(options, pause)}`);
      if (pause === undefined) return;
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      restartedAt.push(performance.now());
      service = await startService(options);
      options.onStart();
      if (stopping.signal.aborted) return await service.stop(0, stopping.signal);
      service.ready.then(
        () => console.log(`The ${options.name} is running again.`),
        () => undefined,
      );
    }
  }

  return {
    name: options.name,
    pid: () => service.pid,
    ready: service.ready,
    stop: async (graceMs, hurried) => {
      stopping.abort();
      await service.stop(graceMs, hurried);
      await watching;
    },
  };
}

function whatNext(options: KeepOptions, pauseMs: number | undefined): string {
  const log = `All it wrote is in ${options.logFile}.`;
  if (pauseMs !== undefined) return `It starts again in ${pauseMs / 1000} s. ${log}`;
  return `It is not started again: stop with Ctrl-C, then start anew. ${log}`;
}
