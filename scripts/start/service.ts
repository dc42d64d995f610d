import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { readableLogLine } from '#scripts/start/readable-log-line.ts';
import { signal, until } from '#scripts/tools/processes.ts';
import { projectDir } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

export type ServiceOptions = {
  name: string;
  file: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  restarts: boolean;
};

export type Service = {
  /** Resolves when the service is ready. Rejects with a `UserError` if it ends earlier or takes a minute. */
  ready: Promise<void>;
  /** Tells the service to finish and exit. Kills it after `graceMs` or when `forced` aborts. */
  stop(graceMs: number, forced: AbortSignal): Promise<void>;
};

type Started = Service & {
  /** Resolves when it has ended, with the reason and the last lines of stderr. */
  ended: Promise<string>;
};

const READY_MS = 300_000;
const LAST_LINES = 20;
/** Pauses before the restarts within a minute, in ms. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];
const WINDOW_MS = 60_000;

/**
 * Starts a service and watches it. One that dies before it was ready is a failed start. One that dies later is
 * reported and, if it `restarts`, restarted after a growing pause.
 */
export async function keepRunning(options: ServiceOptions): Promise<Service> {
  const stopping = new AbortController();
  let service = await startProcess(options);
  const watching = service.ready.then(watch).catch(() => undefined);

  async function watch(): Promise<void> {
    const restartedAt: number[] = [];
    while (true) {
      const how = await service.ended;
      if (stopping.signal.aborted) return;
      const pause = options.restarts ? planRestart(restartedAt, performance.now()) : undefined;
      console.error(`The ${options.name} ended unexpectedly: ${how}\n${whatNext(options, pause)}`);
      if (pause === undefined) return;
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      restartedAt.push(performance.now());
      service = await startProcess(options);
      if (stopping.signal.aborted) return await service.stop(0, stopping.signal);
      service.ready.then(
        () => console.log(`The ${options.name} is running again.`),
        () => undefined,
      );
    }
  }

  return {
    ready: service.ready,
    stop: async (graceMs, forced) => {
      stopping.abort();
      await service.stop(graceMs, forced);
      await watching;
    },
  };
}

/**
 * Returns the pause before a restart in ms. Undefined after five restarts within a minute: another one will not help.
 * @param restartedAt earlier restarts
 * @param now time of death
 */
export function planRestart(restartedAt: number[], now: number): number | undefined {
  return PAUSES_MS[restartedAt.filter((time) => now - time < WINDOW_MS).length];
}

function whatNext(options: ServiceOptions, pauseMs: number | undefined): string {
  const log = `Its output is in ${options.logFile}.`;
  if (pauseMs !== undefined) return `It starts again in ${pauseMs / 1000} s. ${log}`;
  return `It is not started again: stop with Ctrl-C, then start again. ${log}`;
}

/** Starts the program in its own session, which Ctrl-C does not reach. */
async function startProcess(options: ServiceOptions): Promise<Started> {
  await mkdir(dirname(options.logFile), { recursive: true });
  const child = spawn(process.execPath, [options.file], {
    cwd: projectDir,
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastErrors = keepLogs(child, options);
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signalName) => {
      const how = signalName ? `killed by ${signalName}` : `exit code ${code}`;
      const errors = lastErrors();
      resolve(errors ? `${errors} (${how})` : `${how}.`);
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new UserError(`The ${options.name} cannot be started: ${await ended}.`);
  return {
    ready: waitUntilReady(child, options, ended),
    ended,
    stop: async (graceMs, forced) => {
      const isOver = () => child.exitCode !== null || child.signalCode !== null;
      if (!isOver()) {
        signal(pid, 'SIGTERM');
        await until(() => isOver() || forced.aborted, graceMs);
        // The whole process group, with everything that the service started.
        if (!isOver()) signal(-pid, 'SIGKILL');
      }
      await ended;
    },
  };
}

async function waitUntilReady(
  child: ChildProcess,
  options: ServiceOptions,
  ended: Promise<string>,
): Promise<void> {
  const timer = new AbortController();
  const fault = await Promise.race([
    once(child, 'message').then(() => undefined),
    ended.then((how) => `did not start: ${how}`),
    sleep(READY_MS, `is not ready after ${READY_MS / 1000} s.`, { signal: timer.signal }),
  ]);
  timer.abort();
  if (fault) throw new UserError(`The ${options.name} ${fault} Its output is in ${options.logFile}.`);
}

/** Copies output to the log file and shows warnings and errors. Returns a function for the last lines of stderr. */
function keepLogs(child: ChildProcess, { name, logFile }: ServiceOptions): () => string {
  const log = createWriteStream(logFile, { flags: 'a' });
  const lines: string[] = [];
  const keep = (line: string) => lines.push(line) > LAST_LINES && lines.shift();
  const show = (line: string) => {
    const text = readableLogLine(name, line);
    if (text) console.log(text);
  };
  for (const [stream, onLine] of [[child.stdout, show] as const, [child.stderr, keep] as const]) {
    if (!stream) continue;
    stream.pipe(log, { end: false });
    createInterface({ input: stream }).on('line', onLine);
  }
  log.on('error', (error) => console.error(`${logFile} cannot be written: ${error.message}`));
  child.on('close', () => log.end());
  return () => lines.join('\n');
}
