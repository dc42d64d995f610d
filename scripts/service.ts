import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { ExplainedError } from '#scripts/explained-error.ts';
import { signal, until } from '#scripts/processes.ts';
import { projectDir } from '#scripts/project.ts';
import { readableLogLine } from '#scripts/readable-log-line.ts';

/** A program of ours that runs on its own: server, worker or stand-in platform. */
export type ServiceOptions = {
  /** What it is called in messages. */
  name: string;
  /** Its program, as a path in the project. */
  file: string;
  env: NodeJS.ProcessEnv;
  /** Where all it writes is kept. */
  logFile: string;
};

/** A service that was started and has not ended. */
export type Service = {
  pid: number;
  /** Resolves when it says that it is ready; an `ExplainedError` if it ends before or takes a minute. */
  ready: Promise<void>;
  /** Resolves when it has ended, with how, and the last lines it wrote to stderr. */
  ended: Promise<string>;
  /** Asks it to finish its work and end; kills it after `graceMs` or when `hurried`. */
  stop(graceMs: number, hurried: AbortSignal): Promise<void>;
};

/** Starts a service in a session of its own, where no Ctrl-C of our terminal reaches it. */
export async function startService(options: ServiceOptions): Promise<Service> {
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
    child.on('close', (code, signalName) => resolve(describeEnd(code, signalName, lastErrors())));
  });
  const { pid } = child;
  if (pid === undefined) throw new ExplainedError(`The ${options.name} cannot be started: ${await ended}.`);
  return {
    pid,
    ready: waitUntilReady(child, options, ended),
    ended,
    stop: (graceMs, hurried) => stopService(child, pid, ended, graceMs, hurried),
  };
}

function waitUntilReady(child: ChildProcess, options: ServiceOptions, ended: Promise<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(new ExplainedError(`The ${options.name} ${what} All it wrote is in ${options.logFile}.`));
    const timer = setTimeout(() => fail(`is not ready after ${READY_MS / 1000} s.`), READY_MS);
    child.on('message', (message) => {
      if (message !== 'ready') return;
      clearTimeout(timer);
      resolve();
    });
    void ended.then((how) => {
      clearTimeout(timer);
      fail(`did not start: ${how}`);
    });
  });
}

/** Copies all output to the log file and shows warnings and errors; returns a way to the last lines of stderr. */
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

async function stopService(
  child: ChildProcess,
  pid: number,
  ended: Promise<string>,
  graceMs: number,
  hurried: AbortSignal,
): Promise<void> {
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  if (!isOver()) {
    signal(pid, 'SIGTERM');
    await until(() => isOver() || hurried.aborted, graceMs);
    // The whole group: whatever the service started itself.
    if (!isOver()) signal(-pid, 'SIGKILL');
  }
  await ended;
}

function describeEnd(code: number | null, signalName: NodeJS.Signals | null, errors: string): string {
  const how = signalName ? `killed by ${signalName}` : `exit code ${code}`;
  return errors ? `${errors} (${how})` : `${how}.`;
}

const READY_MS = 60_000;
const LAST_LINES = 20;
