import { write, writeSync } from 'node:fs';
import { codeOf } from '#server/core/user-error.ts';

/** Lines wait until they have this length in UTF-16 units, or for this time in ms. */
const BATCH_LENGTH = 4_096;
const BATCH_MS = 100;
/** Maximum length of what waits for a slow reader. Further lines are dropped. */
const WAITING_MAX_LENGTH = 10_000_000;
/** Pause before writing to a slow reader again, in ms. */
const BUSY_MS = 10;
/** Number of such pauses in a flush. */
const FLUSH_PAUSES = 500;

export type LineWriter = {
  write(line: string): void;
  /**
   * Writes all waiting lines before it returns, or drops them after five seconds in which the reader was slow. Lines that are being written
   * may be dropped, too, if the reader has no room for them.
   */
  flushSync(): void;
};

/**
 * Returns a writer that buffers lines. It drops lines that a full disk or a closed pipe refuses, because the service matters more than its log.
 * The library's own writer throws in that case, and then blocks the exiting process for ever.
 */
export function openLineWriter(fd: number): LineWriter {
  let waiting = '';
  /** Bytes that the reader had no room for. */
  let rest = Buffer.alloc(0);
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  /** Takes what the reader had no room for, else the waiting lines. */
  function take(): Buffer<ArrayBuffer> {
    const next = rest.length > 0 ? rest : Buffer.from(waiting);
    if (rest.length === 0) waiting = '';
    rest = Buffer.alloc(0);
    return next;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const bytes = take();
    if (bytes.length === 0) return;
    isWriting = true;
    write(fd, bytes, (error, written) => {
      isWriting = false;
      if (!error) rest = bytes.subarray(written);
      else if (isBusy(error)) rest = bytes;
      if (rest.length > 0 && !error) flush();
      else if (rest.length > 0 || waiting !== '') flushSoon();
    });
  }

  function flushSoon(): void {
    if (isWriting) return;
    if (waiting.length >= BATCH_LENGTH && rest.length === 0) flush();
    else timer ??= setTimeout(flush, rest.length > 0 ? BUSY_MS : BATCH_MS).unref();
  }

  return {
    write: (line) => {
      if (waiting.length + rest.length > WAITING_MAX_LENGTH) return;
      waiting += line;
      flushSoon();
    },
    flushSync: () => {
      // Another thread is writing earlier lines. Its outcome is known only later.
      if (isWriting) pause(BUSY_MS);
      let bytes = take();
      for (let pauses = 0; bytes.length > 0 && pauses < FLUSH_PAUSES; ) {
        try {
          bytes = bytes.subarray(writeSync(fd, bytes));
          if (bytes.length === 0) bytes = take();
        } catch (error) {
          if (!isBusy(error)) return;
          pauses += 1;
          pause(BUSY_MS);
        }
      }
    },
  };
}

/** Returns whether a pipe has no room at the moment. */
function isBusy(error: unknown): boolean {
  return codeOf(error) === 'EAGAIN';
}

/** Blocks the process. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
