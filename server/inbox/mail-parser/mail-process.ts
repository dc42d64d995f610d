import { Worker } from 'node:worker_threads';
import { authenticateMail, type MailEnvelope } from '#server/inbox/mail-parser/authenticate-mail.ts';
import type { AuthenticatedMail } from '#server/inbox/mail-parser/authenticated-mail.ts';
import { checkMailShape } from '#server/inbox/mail-parser/check-mail-shape.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import type { SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

// The process that parses untrusted mail. It has neither settings nor a database: it receives bytes and returns data. A watch
// thread kills the process when a mail exceeds its processor time or memory (`mail-process-watch.ts`).

/** Messages from the worker: size and context of a mail, then its bytes in pieces. */
export type MailProcessInput =
  | { kind: 'mail'; bytes: number; envelope: MailEnvelope; lookups: SenderLookups }
  | { kind: 'piece'; bytes: Uint8Array };

/** Messages to the worker. The authentication result is sent first, as parsing may kill the process. */
export type MailProcessOutput =
  | { kind: 'ready' }
  | { kind: 'authenticated'; authenticated: AuthenticatedMail }
  | { kind: 'parsed'; mail: ParsedMail; residentBytes: number }
  | { kind: 'failed'; reason: string; residentBytes: number };

type Incoming = Extract<MailProcessInput, { kind: 'mail' }> & { raw: Buffer; filled: number };

const watch = new Worker(new URL('./mail-process-watch.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
});
let incoming: Incoming | undefined;

// A child process also receives the service's termination signals. It ignores them, so the worker can finish its mails.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (input: MailProcessInput) => {
  if (input.kind === 'mail') incoming = { ...input, raw: Buffer.alloc(input.bytes), filled: 0 };
  else if (incoming) fill(incoming, input.bytes);
  if (!incoming || incoming.filled < incoming.bytes) return;
  const mail = incoming;
  incoming = undefined;
  void read(mail);
});

function fill(mail: Incoming, piece: Uint8Array): void {
  mail.raw.set(piece.subarray(0, mail.bytes - mail.filled), mail.filled);
  mail.filled += piece.byteLength;
}

async function read({ raw, envelope, lookups }: Incoming): Promise<void> {
  watch.postMessage('begin');
  try {
    const shape = checkMailShape(raw);
    if (shape) throw new Error(shape);
    report({ kind: 'authenticated', authenticated: await authenticateMail(raw, envelope, lookups) });
    const mail = await parseMail(raw, envelope.from);
    report({ kind: 'parsed', mail, residentBytes: process.memoryUsage.rss() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report({ kind: 'failed', reason, residentBytes: process.memoryUsage.rss() });
  } finally {
    watch.postMessage('end');
  }
}

function report(message: MailProcessOutput): void {
  process.send?.(message);
}

watch.once('online', () => report({ kind: 'ready' }));
