import { log } from '#server/core/log.ts';

const FAULT = '4.3.0 The mail could not be kept right now; try again later';

/** A refusal as SMTP says it (RFC 5321 §4.2.3, RFC 3463). 4xx: the sender tries again later. */
export function smtpRefusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Answers a command once `work` is done. A fault of ours is a temporary refusal: the sender tries again. */
export function respond(callback: (error?: Error | null) => void, work: () => Promise<void>): void {
  work().then(
    () => callback(),
    (error: unknown) => {
      if (error instanceof Error && 'responseCode' in error) return callback(error);
      log().error({ err: error }, 'mail.not_kept');
      callback(smtpRefusal(451, FAULT));
    },
  );
}
