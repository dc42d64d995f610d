import { connect, isIPv4 } from 'node:net';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import { judgeSmtpError, MailFault, type SmtpProgress } from '#server/core/mail/mail-fault.ts';

/** The ports of mail programs, where an address names none (RFC 8314). */
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/**
 * Sends a mail to a mail server. It breaks the connection off when the time is up: what is reported as failed must not leave
 * later, when a slow server comes round. Nodemailer limits only single steps, and closing its transport leaves a
 * connection in use open.
 * @param url an address as `SMTP_URL` has
 * @returns who of its recipients the mail server refused while it took the mail for others
 * @throws MailFault when the mail server refuses it or does not answer in time
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
    return { refused: rejected.map((each) => (typeof each === 'string' ? each : each.address)) };
  } catch (error) {
    throw error instanceof MailFault ? error : new MailFault(judgeSmtpError(error, progress), error);
  } finally {
    stopTimer();
  }
}

const TICK_MS = 250;
/** A timer runs at most this much longer than its time, in ms: others take a message for broken off after a minute. */
const STALLED_MAX_MS = 20_000;

/**
 * Calls `onEnd` after a time in which this process could read replies. A process that was stalled, as by a flood of mail,
 * has not read a reply that arrived meanwhile, so a stall counts as two ticks.
 * @returns stops the timer
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
 * Notes from nodemailer's log when the end of a mail was sent. It logs the size of a mail then, with the type `message`.
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

/** Connects for nodemailer, which sets up TLS itself; the signal destroys the connection in whatever state it is. */
function connectUntil(
  signal: AbortSignal,
  progress: SmtpProgress,
): NonNullable<SMTPTransport.Options['getSocket']> {
  return ({ host = 'localhost', port, secure }, callback) => {
    const defaultPort = secure ? SUBMISSIONS_PORT : SUBMISSION_PORT;
    const socket = connect({ host, port: Number(port ?? defaultPort), keepAlive: true, signal });
    // Nodemailer names what happens on its own sockets alike.
    const refuse = (error: Error) => callback(Object.assign(error, { code: 'ESOCKET' }), {});
    socket.once('error', refuse).once('connect', () => {
      progress.connected = true;
      // Broken off after nodemailer has let go of it, it would end the process.
      socket.off('error', refuse).on('error', () => {});
      callback(null, { connection: socket });
    });
  };
}

/**
 * Whether mail leaves over TLS alone when a server is named by `smtp://`: it must offer STARTTLS then, as an attacker
 * in between could take the offer away (RFC 3207 §6). Not towards this very machine, and the address can say otherwise:
 * `?requireTLS=false`, or `true`.
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
