import { connect, isIPv4 } from 'node:net';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import { judgeSmtpError, MailFault, type SmtpProgress } from '#server/core/mail/mail-fault.ts';

/** Default ports of message submission (RFC 8314). */
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/**
 * Sends a mail over SMTP. Destroys the connection at the timeout, because a mail that was reported as failed must not be sent later
 * by a slow server. Nodemailer limits only single steps, and closing its transport leaves a connection in use open.
 * @param url like `SMTP_URL`
 * @returns the recipients that the mail server refused while it accepted others
 * @throws MailFault when the mail server refuses the mail or does not respond in time
 */
export async function sendOverSmtp(
  url: string,
  mail: SendMailOptions,
  timeoutMs: number,
): Promise<{ refused: string[] }> {
  const breakOff = new AbortController();
  const outOfTime = Promise.withResolvers<never>();
  const progress: SmtpProgress = { connected: false, handedOver: false };
  const stopTimer = startTimer(timeoutMs, () => {
    const cause = new DOMException('The mail server took too long.', 'TimeoutError');
    const { connected, handedOver } = progress;
    outOfTime.reject(new MailFault(handedOver ? 'unclear' : 'temporary', cause, { isTimeout: connected }));
    breakOff.abort();
  });
  const smtp = new SMTPTransport({
    url,
    requireTLS: requiresTls(url),
    getSocket: connectUntil(breakOff.signal, progress),
    transactionLog: true,
    logger: noteHandOver(progress),
  });
  try {
    const sent = nodemailer.createTransport(smtp).sendMail(mail);
    const { rejected } = await Promise.race([sent, outOfTime.promise]);
    return { refused: rejected };
  } catch (error) {
    throw error instanceof MailFault ? error : new MailFault(judgeSmtpError(error, progress), error);
  } finally {
    stopTimer();
  }
}

const TICK_MS = 250;
/** Maximum extension of the timeout, in ms. After a minute another process marks the message as interrupted. */
const STALLED_MAX_MS = 20_000;

/**
 * Calls `onEnd` after `ms` in which this process could read replies. A stall of the process, such as by a flood of mail, counts as
 * two ticks, because it has not yet read replies that arrived in the meantime.
 * @returns function that stops the timer
 */
function startTimer(ms: number, onEnd: () => void): () => void {
  const startedAt = performance.now();
  let [tickedAt, countedMs] = [startedAt, 0];
  const timer = setInterval(() => {
    const now = performance.now();
    countedMs += Math.min(now - tickedAt, 2 * TICK_MS);
    tickedAt = now;
    if (countedMs < ms && now - startedAt < ms + STALLED_MAX_MS) return;
    clearInterval(timer);
    onEnd();
  }, TICK_MS);
  return () => clearInterval(timer);
}

/**
 * Returns a logger for nodemailer that notes when the end of the mail was sent: nodemailer then logs the size of the mail.
 */
function noteHandOver(progress: SmtpProgress): NonNullable<SMTPTransport.Options['logger']> {
  const nothing = () => {};
  const info = (entry: unknown) => {
    if (typeof entry === 'object' && entry !== null && 'outByteCount' in entry) progress.handedOver = true;
  };
  return {
    level: nothing,
    trace: nothing,
    debug: nothing,
    info,
    warn: nothing,
    error: nothing,
    fatal: nothing,
  };
}

/** Returns how nodemailer connects. It sets up TLS itself. The signal destroys the connection in any state. */
function connectUntil(
  signal: AbortSignal,
  progress: SmtpProgress,
): NonNullable<SMTPTransport.Options['getSocket']> {
  return ({ host = 'localhost', port, secure }, callback) => {
    const defaultPort = secure ? SUBMISSIONS_PORT : SUBMISSION_PORT;
    const socket = connect({ host, port: Number(port ?? defaultPort), keepAlive: true, signal });
    // Nodemailer uses this code for its own sockets.
    const refuse = (error: Error) => callback(Object.assign(error, { code: 'ESOCKET' }), {});
    socket.once('error', refuse).once('connect', () => {
      progress.connected = true;
      // After nodemailer has removed its listeners an error would end the process.
      socket.off('error', refuse).on('error', () => {});
      callback(null, { connection: socket });
    });
  };
}

/**
 * Returns whether a server at `smtp://` must offer STARTTLS, because an attacker could remove the offer (RFC 3207 §6). Not required
 * for this machine, and `?requireTLS=false` or `true` overrides it.
 * @param url `SMTP_URL`
 */
export function requiresTls(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const said = searchParams.get('requireTLS');
  return said === null ? !isThisMachine(hostname) : said !== 'false';
}

function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIPv4(hostname) && hostname.startsWith('127.');
}
