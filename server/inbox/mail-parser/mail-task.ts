import { type ChildProcess, fork } from 'node:child_process';
import type { AuthenticatedMail, MailEnvelope } from '#server/inbox/mail-parser/authenticate-mail.ts';
import {
  MAIL_PROCESS_HEAP_MB,
  MAIL_PROCESS_RECYCLE_BYTES,
  MAIL_PROCESSES_MAX,
} from '#server/inbox/mail-parser/mail-limits.ts';
import type { MailProcessInput, MailProcessOutput } from '#server/inbox/mail-parser/mail-process.ts';
import { TOOK_TOO_LONG, TOOK_TOO_MUCH_MEMORY } from '#server/inbox/mail-parser/mail-process-watch.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import type { SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

/** A stored mail: its size and its bytes, which are read once a parser process is free. */
export type MailSource = { bytes: number; open(): Promise<AsyncIterable<Uint8Array>> };

export type MailTask = { source: MailSource; envelope: MailEnvelope; lookups: SenderLookups };

/** Outcome of reading a mail. The sender's verdict is `failed` when it was not reached. */
export type MailTaskOutcome = AuthenticatedMail &
  ({ kind: 'parsed'; mail: ParsedMail } | { kind: 'unparsed'; reason: string });

/** A parser process ended and no limit of ours explains why, for example by the kernel for lack of memory. */
export class MailProcessDied extends Error {}

/** Upper bound on mails that wait for a parser process. */
const WAITING_MAX = 200;
/** Time after which an idle process ends, in ms, and number of mails after which it is replaced. */
const IDLE_MS = 10_000;
const MAILS_MAX = 500;
/** Timeout of one mail, in ms, for a process that gets no processor. Its processor time is limited in the process. */
const WALL_MS = 600_000;

/** V8 aborts or traps when its heap is full. */
const MEMORY_SIGNALS: ReadonlySet<string> = new Set([TOOK_TOO_MUCH_MEMORY, 'SIGABRT', 'SIGTRAP']);

type MailProcess = { child: ChildProcess; ready: Promise<void>; mails: number; idle?: NodeJS.Timeout };
type Pool = { idle: MailProcess[]; running: number; waiting: (() => void)[] };

const shared = globalThis as typeof globalThis & { mailProcesses?: Pool };

function pool(): Pool {
  shared.mailProcesses ??= { idle: [], running: 0, waiting: [] };
  return shared.mailProcesses;
}

/**
 * Authenticates and parses a stranger's mail in a child process, which is killed when it takes more than `MAIL_PROCESS_MS` of
 * processor time or `MAIL_PROCESS_MAX_BYTES`, and replaced when it does not give its memory back.
 * @throws MailProcessDied, whatever `source` throws, and when very many mails wait already
 */
export async function runMailTask(task: MailTask): Promise<MailTaskOutcome> {
  await acquirePlace();
  const current = pool().idle.pop() ?? startProcess();
  clearTimeout(current.idle);
  let isUsable = false;
  try {
    const { outcome, residentBytes } = await runOn(current, task);
    current.mails += 1;
    isUsable = residentBytes < MAIL_PROCESS_RECYCLE_BYTES && current.mails < MAILS_MAX;
    return outcome;
  } finally {
    if (isUsable) keepIdle(current);
    else current.child.kill('SIGKILL');
    releasePlace();
  }
}

async function acquirePlace(): Promise<void> {
  const { waiting } = pool();
  if (pool().running < MAIL_PROCESSES_MAX) {
    pool().running += 1;
    return;
  }
  if (waiting.length >= WAITING_MAX) throw new Error('Too many mails wait to be read.');
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Passes the place on to the next mail, or frees it. */
function releasePlace(): void {
  const next = pool().waiting.shift();
  if (next) next();
  else pool().running -= 1;
}

function startProcess(): MailProcess {
  const child = fork(new URL('./mail-process.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MAIL_PROCESS_HEAP_MB}`, '--max-semi-space-size=4'],
    // Secrets stay here. Few arenas: glibc gives memory of many back late.
    env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // What a process that was killed still had to receive is of no use.
  child.on('error', () => undefined);
  const ready = new Promise<void>((resolve) => child.once('message', () => resolve()));
  const started: MailProcess = { child, ready, mails: 0 };
  child.once('exit', () => removeIdle(started));
  return started;
}

/** Sends the mail to a process and collects what comes back. */
async function runOn(
  { child, ready }: MailProcess,
  { source, envelope, lookups }: MailTask,
): Promise<{ outcome: MailTaskOutcome; residentBytes: number }> {
  const over = Promise.withResolvers<{ outcome: MailTaskOutcome; residentBytes: number }>();
  over.promise.catch(() => undefined);
  let authenticated: AuthenticatedMail = { authentication: 'failed', author: null };
  const unparsed = (reason: string, residentBytes = Number.POSITIVE_INFINITY) =>
    over.resolve({ outcome: { ...authenticated, kind: 'unparsed', reason }, residentBytes });
  const hear = (message: MailProcessOutput) => {
    if (message.kind === 'authenticated') authenticated = message.authenticated;
    if (message.kind === 'failed') unparsed(message.reason, message.residentBytes);
    if (message.kind === 'parsed') {
      const { mail, residentBytes } = message;
      over.resolve({ outcome: { ...authenticated, kind: 'parsed', mail }, residentBytes });
    }
  };
  const hearEnd = (code: number | null, signal: NodeJS.Signals | null) => {
    if (signal === TOOK_TOO_LONG) unparsed('took_too_long');
    else if (signal !== null && MEMORY_SIGNALS.has(signal)) unparsed('took_too_much_memory');
    else over.reject(new MailProcessDied(`The parser process ended with ${signal ?? code}.`));
  };
  const timer = setTimeout(() => unparsed('took_too_long'), WALL_MS);
  child.on('message', hear).on('exit', hearEnd);
  if (child.exitCode !== null || child.signalCode !== null) hearEnd(child.exitCode, child.signalCode);
  child.ref();
  child.channel?.ref();
  try {
    await Promise.race([ready, over.promise]);
    const sending = streamMail(child, source, { kind: 'mail', bytes: source.bytes, envelope, lookups });
    await Promise.race([sending, over.promise]);
    return await over.promise;
  } finally {
    clearTimeout(timer);
    child.off('message', hear).off('exit', hearEnd);
  }
}

/** Streams the mail: the worker holds one piece at a time. */
async function streamMail(
  child: ChildProcess,
  source: MailSource,
  head: Extract<MailProcessInput, { kind: 'mail' }>,
): Promise<void> {
  await send(child, head);
  for await (const bytes of await source.open()) {
    if (!child.connected) return;
    await send(child, { kind: 'piece', bytes });
  }
}

/** Resolves once the process has taken the message, or is gone. */
function send(child: ChildProcess, input: MailProcessInput): Promise<void> {
  return new Promise((resolve) => {
    if (!child.connected) return resolve();
    child.send(input, () => resolve());
  });
}

/** An idle process does not keep the worker alive, and ends when the worker does. */
function keepIdle(current: MailProcess): void {
  const { child } = current;
  child.unref();
  child.channel?.unref();
  current.idle = setTimeout(() => {
    removeIdle(current);
    child.kill('SIGKILL');
  }, IDLE_MS);
  current.idle.unref();
  pool().idle.push(current);
}

function removeIdle(ended: MailProcess): void {
  const { idle } = pool();
  if (idle.includes(ended)) idle.splice(idle.indexOf(ended), 1);
}
