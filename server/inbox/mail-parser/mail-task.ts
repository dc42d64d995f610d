import { type ChildProcess, fork } from 'node:child_process';
import type { MailEnvelope } from '#server/inbox/mail-parser/authenticate-mail.ts';
import { type AuthenticatedMail, UNAUTHENTICATED } from '#server/inbox/mail-parser/authenticated-mail.ts';
import { MAIL_PROCESS_HEAP_MB, MAIL_PROCESS_RECYCLE_BYTES } from '#server/inbox/mail-parser/mail-limits.ts';
import type { MailProcessInput, MailProcessOutput } from '#server/inbox/mail-parser/mail-process.ts';
import { TOOK_TOO_LONG, TOOK_TOO_MUCH_MEMORY } from '#server/inbox/mail-parser/mail-process-watch.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import type { SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

/** Size of a stored mail, and a function that opens it when a parser process is free. */
export type MailSource = { bytes: number; open(): Promise<AsyncIterable<Uint8Array>> };

export type MailTask = { source: MailSource; envelope: MailEnvelope; lookups: SenderLookups };

/** Outcome of a mail. `authentication` is `failed` when the process exited before the result. */
export type MailTaskOutcome = AuthenticatedMail &
  ({ kind: 'parsed'; mail: ParsedMail } | { kind: 'unparsed'; reason: string });

/** The parser process exited for an unknown reason, for example killed by the kernel when memory ran out. */
export class MailProcessDied extends Error {}

/** Lifetime of an idle process, in ms, and number of mails after which a process is replaced. */
const IDLE_MS = 10_000;
const MAILS_MAX = 500;
/** Wall clock timeout of one mail, in ms, for a process that gets no processor time. */
const WALL_MS = 600_000;

/** V8 aborts or traps when its heap is full. */
const MEMORY_SIGNALS: ReadonlySet<string> = new Set([TOOK_TOO_MUCH_MEMORY, 'SIGABRT', 'SIGTRAP']);

type MailProcess = { child: ChildProcess; ready: Promise<void>; mails: number; idle?: NodeJS.Timeout };

const idle: MailProcess[] = [];

/**
 * Authenticates and parses an untrusted mail in a child process. The process is killed when the mail exceeds
 * `MAIL_PROCESS_MS` of processor time or `MAIL_PROCESS_MAX_BYTES`, and replaced when it does not release its memory.
 * The caller limits the number of mails in flight, and with it that of processes.
 * @throws MailProcessDied, and errors of `source`
 */
export async function runMailTask(task: MailTask): Promise<MailTaskOutcome> {
  const current = idle.pop() ?? startProcess();
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
  }
}

function startProcess(): MailProcess {
  const child = fork(new URL('./mail-process.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MAIL_PROCESS_HEAP_MB}`, '--max-semi-space-size=4'],
    // The child gets no secrets. Few malloc arenas, as glibc releases the memory of many arenas late.
    env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Messages to a killed process may fail and do not matter.
  child.on('error', () => undefined);
  const ready = new Promise<void>((resolve) => child.once('message', () => resolve()));
  const started: MailProcess = { child, ready, mails: 0 };
  child.once('exit', () => removeIdle(started));
  return started;
}

/** Sends the mail to a process and collects the outcome. */
async function runOn(
  { child, ready }: MailProcess,
  { source, envelope, lookups }: MailTask,
): Promise<{ outcome: MailTaskOutcome; residentBytes: number }> {
  const settled = Promise.withResolvers<{ outcome: MailTaskOutcome; residentBytes: number }>();
  settled.promise.catch(() => undefined);
  let authenticated: AuthenticatedMail = UNAUTHENTICATED;
  const unparsed = (reason: string, residentBytes = Number.POSITIVE_INFINITY) =>
    settled.resolve({ outcome: { ...authenticated, kind: 'unparsed', reason }, residentBytes });
  const onMessage = (message: MailProcessOutput) => {
    if (message.kind === 'authenticated') authenticated = message.authenticated;
    if (message.kind === 'failed') unparsed(message.reason, message.residentBytes);
    if (message.kind === 'parsed') {
      const { mail, residentBytes } = message;
      settled.resolve({ outcome: { ...authenticated, kind: 'parsed', mail }, residentBytes });
    }
  };
  const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
    if (signal === TOOK_TOO_LONG) unparsed('took_too_long');
    else if (signal !== null && MEMORY_SIGNALS.has(signal)) unparsed('took_too_much_memory');
    else settled.reject(new MailProcessDied(`The parser process exited with ${signal ?? code}.`));
  };
  const timer = setTimeout(() => unparsed('took_too_long'), WALL_MS);
  child.on('message', onMessage).on('exit', onExit);
  if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
  child.ref();
  child.channel?.ref();
  try {
    await Promise.race([ready, settled.promise]);
    const sending = streamMail(child, source, { kind: 'mail', bytes: source.bytes, envelope, lookups });
    await Promise.race([sending, settled.promise]);
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit);
  }
}

/** Streams the mail to the process; only one piece at a time is in the worker's memory. */
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

/** Resolves when the process has received the message, or has exited. */
function send(child: ChildProcess, input: MailProcessInput): Promise<void> {
  return new Promise((resolve) => {
    if (!child.connected) return resolve();
    child.send(input, () => resolve());
  });
}

/** Returns a process to the pool. An idle process does not keep the worker alive. */
function keepIdle(current: MailProcess): void {
  const { child } = current;
  child.unref();
  child.channel?.unref();
  current.idle = setTimeout(() => {
    removeIdle(current);
    child.kill('SIGKILL');
  }, IDLE_MS);
  current.idle.unref();
  idle.push(current);
}

function removeIdle(exited: MailProcess): void {
  if (idle.includes(exited)) idle.splice(idle.indexOf(exited), 1);
}
