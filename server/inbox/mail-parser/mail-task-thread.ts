import { parentPort } from 'node:worker_threads';
import { authenticateMail, type MailEnvelope } from '#server/inbox/mail-parser/authenticate-mail.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

// The thread in which strangers' mail is read. It knows no settings and no database: it gets bytes and gives data.

/** What a mail's thread is asked for. */
export type MailTask =
  | { kind: 'parse'; raw: Uint8Array; envelopeFrom: string | undefined }
  | {
      kind: 'authenticate';
      raw: Uint8Array;
      envelope: MailEnvelope;
      dnsServers: readonly string[] | undefined;
    };

/** What it says: that it has loaded, what came of the task, or what was thrown. */
export type MailTaskMessage =
  | { kind: 'ready' }
  | { kind: 'done'; value: unknown }
  | { kind: 'failed'; reason: string };

function run(task: MailTask): Promise<unknown> {
  return task.kind === 'parse'
    ? parseMail(task.raw, task.envelopeFrom)
    : authenticateMail(task.raw, task.envelope, task.dnsServers);
}

const say = (message: MailTaskMessage) => parentPort?.postMessage(message);

parentPort?.on('message', (task: MailTask) => {
  run(task).then(
    (value) => say({ kind: 'done', value }),
    (error: unknown) =>
      say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});
say({ kind: 'ready' });
