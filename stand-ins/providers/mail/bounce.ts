import { uuid } from '../make-ids.ts';
import type { Providers } from '../providers.ts';
import type { Mail } from './mail-state.ts';
import { type SendResult, sendToService } from './send-to-service.ts';

/**
 * Sends a bounce (RFC 3464) from the null sender to the envelope sender of a mail. Returns undefined for a mail from
 * the null sender: a bounce is never bounced.
 */
export async function bounce(
  providers: Providers,
  mail: Mail,
  reason = '5.1.1 The email account that you tried to reach does not exist',
): Promise<SendResult | undefined> {
  const { from, to } = mail.envelope;
  if (from === '') return undefined;
  return await sendToService(
    providers,
    { raw: writeBounce(mail, to[0] ?? '', reason) },
    { from: '', to: [from] },
  );
}

/** Writes the report: text, machine-readable fields, and the headers of the returned mail (RFC 3462, RFC 3464). */
function writeBounce(mail: Pick<Mail, 'envelope' | 'raw'>, recipient: string, reason: string): string {
  const { from } = mail.envelope;
  const boundary = `report-${uuid()}`;
  const status = /^\d\.\d+\.\d+/.exec(reason)?.[0] ?? '5.0.0';
  const head = mail.raw.toString('latin1').split(/\r?\n\r?\n/, 1)[0] ?? '';
  return [
    'From: Mail Delivery System <mailer-daemon@mail.contacts.example>',
    `To: <${from}>`,
    'Subject: Undelivered Mail Returned to Sender',
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${uuid()}@mail.contacts.example>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This is the mail system at host mail.contacts.example.',
    '',
    "I'm sorry to have to inform you that your message could not be delivered",
    'to one or more recipients.',
    '',
    `<${recipient}>: host mx.contacts.example said: 550 ${reason}`,
    '',
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.contacts.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    `Status: ${status}`,
    'Remote-MTA: dns; mx.contacts.example',
    `Diagnostic-Code: smtp; 550 ${reason}`,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    head.replaceAll(/\r?\n/g, '\r\n'),
    '',
    `--${boundary}--`,
    '',
  ].join('\r\n');
}
