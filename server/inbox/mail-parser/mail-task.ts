import { Worker } from 'node:worker_threads';
import type { AuthenticatedMail } from '#server/inbox/mail-parser/authenticate-mail.ts';
import { MAIL_THREAD_MB, MAIL_THREAD_MS } from '#server/inbox/mail-parser/mail-limits.ts';
import type { MailTask, MailTaskMessage } from '#server/inbox/mail-parser/mail-task-thread.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';

/** What came of a task: its value, or that it did not end as it was allowed to. */
export type MailTaskOutcome<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'failed'; reason: string }
  | { kind: 'unended'; reason: 'took_too_long' | 'thread_died' };

type ValueOf<Task extends MailTask> = Task extends { kind: 'parse' } ? ParsedMail : AuthenticatedMail;

/** So many mails are read at once in a process, and so many may wait for it. */
const THREADS_MAX = 2;
const WAITING_MAX = 200;
/** A thread that has nothing to do for so long ends, in milliseconds. */
const IDLE_MS = 30_000;
/**
 * What counts is how long it uses a processor, as a machine that has much to do is no fault of the mail; but loading a thread
 * and each task end after so long in any case, in milliseconds. How often it is looked at, too.
 */
const WALL_MS = 60_000;
const LOOK_MS = 250;

type Thread = { worker: Worker; isReady: boolean };
type Waiting = { task: MailTask; settle: (outcome: MailTaskOutcome<unknown>) => void };
type Pool = { idle: Map<Thread, NodeJS.Timeout>; threads: number; waiting: Waiting[] };

const shared = globalThis as typeof globalThis & { mailThreads?: Pool };

function pool(): Pool {
  shared.mailThreads ??= { idle: new Map(), threads: 0, waiting: [] };
  return shared.mailThreads;
}

/**
 * Reads a stranger's mail in a thread of its own, which is ended when it takes longer than `MAIL_THREAD_MS` or more memory
 * than `MAIL_THREAD_MB`: no mail holds up the process. Threads are kept for the next mail.
 * @throws when very many mails wait already
 */
export function runMailTask<Task extends MailTask>(task: Task): Promise<MailTaskOutcome<ValueOf<Task>>> {
  const { waiting } = pool();
  if (waiting.length >= WAITING_MAX) throw new Error('Too many mails wait to be read.');
  return new Promise((resolve) => {
    waiting.push({ task, settle: (outcome) => resolve(outcome as MailTaskOutcome<ValueOf<Task>>) });
    startNext();
  });
}

function startNext(): void {
  const { waiting, idle } = pool();
  if (waiting.length === 0) return;
  const [kept] = idle.keys();
  if (kept) {
    clearTimeout(idle.get(kept));
    idle.delete(kept);
  }
  const thread = kept ?? startThread();
  const next = thread && waiting.shift();
  if (thread && next) runOn(thread, next);
}

function startThread(): Thread | undefined {
  const threads = pool();
  if (threads.threads >= THREADS_MAX) return undefined;
  threads.threads += 1;
  const worker = new Worker(new URL('./mail-task-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAIL_THREAD_MB },
    env: {},
    stdout: false,
  });
  return { worker, isReady: false };
}

function runOn(thread: Thread, { task, settle }: Waiting): void {
  const { worker } = thread;
  let timer: NodeJS.Timeout;
  let meter: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (outcome: MailTaskOutcome<unknown>, isUsable: boolean) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    clearInterval(meter);
    worker.off('message', hear).off('error', died).off('exit', died).off('messageerror', died);
    settle(outcome);
    if (isUsable) keep(thread);
    else drop(thread);
    startNext();
  };
  const giveUp = () => end({ kind: 'unended', reason: 'took_too_long' }, false);
  const begin = async () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, WALL_MS);
    const before = await busyMs(worker);
    if (isOver) return;
    worker.postMessage(task);
    meter = setInterval(async () => {
      const busy = (await busyMs(worker)) - before;
      if (!isOver && busy > MAIL_THREAD_MS) giveUp();
    }, LOOK_MS);
  };
  const hear = (message: MailTaskMessage) => {
    if (message.kind === 'ready') {
      thread.isReady = true;
      void begin();
    } else end(message, true);
  };
  const died = () => end({ kind: 'unended', reason: 'thread_died' }, false);
  worker.ref();
  worker.on('message', hear).on('error', died).on('exit', died).on('messageerror', died);
  timer = setTimeout(giveUp, WALL_MS);
  if (thread.isReady) void begin();
}

/** How long a thread has used a processor, in milliseconds; one that has ended, none. */
async function busyMs(worker: Worker): Promise<number> {
  const used = await worker.cpuUsage().catch(() => undefined);
  return used ? (used.user + used.system) / 1_000 : 0;
}

/** It keeps the process from ending no longer, and ends with it. */
function keep(thread: Thread): void {
  thread.worker.unref();
  const timer = setTimeout(() => {
    pool().idle.delete(thread);
    drop(thread);
  }, IDLE_MS);
  timer.unref();
  pool().idle.set(thread, timer);
}

function drop({ worker }: Thread): void {
  pool().threads -= 1;
  // What it still says when it is ended interests no one, and would end the process.
  worker.on('error', () => {});
  void worker.terminate();
}
