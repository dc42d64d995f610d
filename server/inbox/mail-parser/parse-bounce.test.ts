import { describe, expect, test } from 'vitest';
import { parseBounce } from '#server/inbox/mail-parser/parse-bounce.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';
import { processorMs } from '#test/fixtures/processor-time.ts';

const NULL_SENDER = '';
const ADA = 'Final-Recipient: rfc822; ada@acme.test\nAction: failed\nStatus: 5.1.1';
/** A part with a report about Ada. */
const PART = `--d\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n${ADA}\n--d--`;

describe('a delivery report (RFC 3464) is read', () => {
  const FAILED = 'Action: failed\nStatus: 5.1.1';
  test.each<[string, string, { addresses?: string[]; action?: string; status?: string | null }]>([
    ['as the RFC has it', `Final-Recipient: rfc822; Ada@Acme.test\n${FAILED}`, { status: '5.1.1' }],
    ['with angle brackets', `Final-Recipient: rfc822; <ada@acme.test>\n${FAILED}`, {}],
    ['with angle brackets and no type', `Final-Recipient: <ada@acme.test>\n${FAILED}`, {}],
    [
      'with comments',
      'Final-Recipient: rfc822; ada@acme.test (Ada)\nAction: failed (bad address)\nStatus: 5.1.1 (no)',
      { status: '5.1.1' },
    ],
    [
      'with a comment below the action',
      'Final-Recipient: rfc822;ada@acme.test\nAction: failed\n (gave up)\nStatus: 5.0.0',
      {},
    ],
    [
      'with an address in xtext',
      `Original-Recipient: rfc822;ada+40acme.test\nFinal-Recipient: x400; /G=Ada/\n${FAILED}`,
      {},
    ],
    [
      'with a plus in xtext',
      `Original-Recipient: rfc822;a+2Bx@acme.test\n${FAILED}`,
      { addresses: ['a+2bx@acme.test', 'a+x@acme.test'] },
    ],
    [
      'with an internationalized address (RFC 6533)',
      `Final-Recipient: utf-8; \\x{E4}da@acme.test\n${FAILED}`,
      { addresses: ['\\x{e4}da@acme.test', 'äda@acme.test'] },
    ],
    [
      'with another final recipient',
      `Original-Recipient: rfc822; ada@acme.test\nFinal-Recipient: rfc822; a17@mx.acme.test\n${FAILED}`,
      { addresses: ['ada@acme.test', 'a17@mx.acme.test'] },
    ],
    [
      'with a local final recipient',
      `Original-Recipient: rfc822; ada@acme.test\nFinal-Recipient: LOCAL;<>\n${FAILED}`,
      {},
    ],
    ['with the action first', `${FAILED}\nFinal-Recipient: rfc822;ada@acme.test`, {}],
    ['in capitals', 'FINAL-RECIPIENT: RFC822;ADA@ACME.TEST\nACTION: FAILED\nSTATUS: 5.1.1', {}],
    [
      'as expired',
      'Final-Recipient: rfc822; ada@acme.test\nAction: expired\nStatus: 4.4.7',
      { status: '4.4.7' },
    ],
    [
      'as delayed',
      'Final-Recipient: rfc822; ada@acme.test\nAction: delayed\nStatus: 4.4.1',
      { action: 'delayed' },
    ],
    [
      'as relayed',
      'Final-Recipient: rfc822; ada@acme.test\nAction: relayed\nStatus: 2.0.0',
      { action: 'relayed' },
    ],
    [
      'as delivered',
      'Final-Recipient: rfc822; ada@acme.test\nAction: delivered\nStatus: 2.0.0',
      { action: 'delivered' },
    ],
    ['without an action', 'Final-Recipient: rfc822; ada@acme.test\nStatus: 5.2.2', { status: '5.2.2' }],
    [
      'with a final status that says delayed',
      'Final-Recipient: rfc822; ada@acme.test\nAction: unknown\nStatus: 4.0.0',
      { action: 'delayed' },
    ],
    [
      'with several diagnostics',
      `Final-Recipient: rfc822; ada@acme.test\n${FAILED}\nDiagnostic-Code: smtp; 550 no\nDiagnostic-Code: smtp; 551 no`,
      {},
    ],
  ])('%s', async (_how, fields, expected) => {
    const bounce = await bounceOf(report(`Reporting-MTA: dns; mx.acme.test\n\n${fields}\n`));
    expect(bounce).toMatchObject([{ action: 'failed', addresses: ['ada@acme.test'], ...expected }]);
  });

  const BOB = 'Final-Recipient: rfc822; bob@acme.test\nAction: relayed\nStatus: 2.1.5';
  test.each([
    ['in a later group', `Reporting-MTA: dns; mx.acme.test\n\n${BOB}\n\n${ADA}\n`],
    ['without empty lines', `Reporting-MTA: dns; mx.acme.test\n${BOB}\n${ADA}\n`],
    [
      'with empty lines between all fields',
      `Reporting-MTA: dns; mx.acme.test\n${BOB}\n${ADA}\n`.replaceAll('\n', '\n\n'),
    ],
    ['with lines of spaces', `Reporting-MTA: dns; mx.acme.test\n \t\n${BOB}\n  \n${ADA}\n`],
  ])('with two recipients %s', async (_how, text) => {
    expect(await bounceOf(report(text))).toMatchObject([
      { action: 'relayed', addresses: ['bob@acme.test'] },
      { action: 'failed', addresses: ['ada@acme.test'], status: '5.1.1' },
    ]);
  });

  test.each<[string, string[], string]>([
    ['in multipart/mixed', ['Content-Type: multipart/mixed; boundary=d'], PART],
    ['in multipart/report without report-type', ['Content-Type: multipart/report; boundary=d'], PART],
    ['as the whole mail', ['Content-Type: message/delivery-status'], `Reporting-MTA: dns; x\n\n${ADA}`],
    [
      'encoded in base64',
      ['Content-Type: multipart/report; boundary=d'],
      PART.replace('status\n\n', 'status\nContent-Transfer-Encoding: base64\n\n').replace(
        `Reporting-MTA: dns; x\n\n${ADA}`,
        Buffer.from(`Reporting-MTA: dns; x\n\n${ADA}`).toString('base64'),
      ),
    ],
    [
      'with an internationalized type',
      ['Content-Type: multipart/report; boundary=d'],
      PART.replace('message/', 'message/global-'),
    ],
    ['in a mail without Content-Type', [], PART],
    [
      'in an attached report',
      ['Content-Type: multipart/mixed; boundary=o'],
      `--o\nContent-Type: text/plain\n\nSee below.\n--o\nContent-Type: message/rfc822\n\nSubject: Returned\nContent-Type: multipart/report; boundary=d\n\n${PART}\n--o--`,
    ],
  ])('%s', async (_where, headers, body) => {
    const raw = [...headers, 'From: MAILER-DAEMON@mx.acme.test', 'Subject: Undeliverable', '', body].join(
      '\n',
    );
    expect(await bounceOf(raw)).toMatchObject([{ action: 'failed', addresses: ['ada@acme.test'] }]);
  });
});

describe('a bounce without a report is read', () => {
  test.each<[string, string, string, { status?: string | null; diagnostic?: unknown; action?: string }]>([
    [
      'from qmail',
      'failure notice',
      'Hi. This is the qmail-send program at mx.acme.test.\nI could not hand over your mail. This is a permanent error.\n\n<Ada@acme.test>:\n192.0.2.1 does not like recipient.\nRemote host said: 550 unknown (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <x@inbox.test>\n',
      {
        status: '5.1.1',
        diagnostic: '192.0.2.1 does not like recipient. Remote host said: 550 unknown (#5.1.1)',
      },
    ],
    [
      'from Postfix',
      'Undelivered Mail Returned to Sender',
      'Your mail could not\nbe delivered to one or more recipients.\n\n<ada@acme.test>: host mx.acme.test[192.0.2.1] said: 550 5.1.1\n    <ada@acme.test>: unknown (in reply to RCPT TO command)\n',
      { status: '5.1.1', diagnostic: expect.stringMatching(/^host mx\.acme/) },
    ],
    [
      'from Exim',
      'Mail delivery failed: returning message to sender',
      'A mail of yours could not be delivered to all of its\nrecipients. This is a permanent error.\n\n  ada@acme.test\n    host mx.acme.test: 550 5.7.1 blocked\n\n------ This is a copy of your mail. ------\nTo: ada@acme.test\n',
      { status: '5.7.1' },
    ],
    [
      'from Sendmail',
      'Returned mail: User unknown',
      '   ----- The following addresses had permanent fatal errors -----\n<ada@acme.test>\n\n   ----- Transcript of session follows -----\n... while talking to mx.acme.test.:\n>>> RCPT To:<ada@acme.test>\n<<< 550 5.1.1 unknown\n',
      { status: '5.1.1', diagnostic: '<<< 550 5.1.1 unknown' },
    ],
    [
      'from Exchange',
      'Undeliverable: Offer',
      'Your message\n\n  To: ada@acme.test\n  Subject: Offer\n\ndid not reach the following recipient(s):\n\nada@acme.test on Fri, 27 Nov 2026\n    The name is not known\n',
      {},
    ],
    [
      'from Exchange in German',
      'Unzustellbar: Angebot',
      'Fehler bei der Nachrichtenzustellung an folgende Empfänger:\n\nAda <mailto:ada@acme.test>\n',
      {},
    ],
    [
      'from Gmail',
      'Delivery Status Notification (Failure)',
      'Delivery to the following recipient failed permanently:\n\n     ada@acme.test\n\nThe other server said:\n550 5.2.1 disabled\n\n----- Original message -----\nTo: bob@acme.test\n',
      { status: '5.2.1', diagnostic: '550 5.2.1 disabled' },
    ],
    [
      'from Yahoo',
      'Failure Notice',
      'We were not able to deliver your mail.\n\n<ada@acme.test>:\n554: no account\n',
      { diagnostic: '554: no account' },
    ],
    [
      'from GMX',
      'Mail delivery failed',
      'The mail could not be delivered. The following address failed:\n\n"ada@acme.test":\nSMTP error\n5.2.2 <ada@acme.test>... full\n\n--- The header of the original message is following. ---\n',
      { status: '5.2.2' },
    ],
    [
      'from mail.ru',
      'Ваше сообщение не доставлено',
      'К сожалению, письмо не может быть доставлено:\n\nada@acme.test\nuser not found\n',
      { diagnostic: 'user not found' },
    ],
    [
      'from Zoho',
      'Undelivered Mail Returned to Sender',
      'A mail could not be delivered. \n\nada@acme.test Invalid Address, ERROR_CODE :550\n\nReceived:from x\n',
      {},
    ],
    [
      'from Amazon SES',
      'Delivery Status Notification (Failure)',
      'An error occurred while trying to deliver the mail to the following recipients:\nada@acme.test\n',
      {},
    ],
    ['in HTML', 'Undeliverable', '<p>Could not be delivered:</p><p>ada@acme.test</p>', {}],
    [
      'as delayed by Exim',
      'Warning: message 1abc delayed 24 hours',
      'Your mail has not yet been delivered to:\n\n  ada@acme.test\n\nDelivery attempts will continue for some time.\n',
      { action: 'delayed' },
    ],
    [
      'as delayed by Gmail',
      'Delivery Status Notification (Delay)',
      'THIS IS A WARNING MESSAGE ONLY.\n\nDelivery to the following recipient has been delayed:\n\n ada@acme.test\n',
      { action: 'delayed' },
    ],
    [
      'as failed after a delay',
      'Delivery failed',
      'After a delay of five days the server has given up.\n\nada@acme.test: delayed by 451, retry timeout exceeded\n',
      {},
    ],
  ])('%s', async (how, subject, text, expected) => {
    const type = how === 'in HTML' ? 'text/html' : 'text/plain';
    const raw = `From: MAILER-DAEMON@mx.acme.test\nSubject: ${subject}\nContent-Type: ${type}; charset=utf-8\n\n${text}`;
    const bounce = await bounceOf(raw);
    expect(bounce?.find(({ addresses }) => addresses.includes('ada@acme.test'))).toMatchObject({
      action: 'failed',
      ...expected,
    });
    expect(bounce?.flatMap(({ addresses }) => addresses)).not.toContain('bob@acme.test');
  });

  test.each([
    ['alone', 'Sorry.', { status: null, diagnostic: null }],
    ['with its reason', 'Not possible:\n\n  ada@acme.test\n    550 5.1.1 unknown\n', {}],
    ['beside an internal address in the report', '', { status: null }],
  ])('by X-Failed-Recipients %s', async (_how, text, expected) => {
    const raw = `X-Failed-Recipients: bob@acme.test,\n ada@acme.test\nAuto-Submitted: auto-replied\nFrom: mx@acme.test\nSubject: Sorry\n\n${text}`;
    const bounce = await bounceOf(raw);
    expect(bounce).toMatchObject([
      { addresses: ['bob@acme.test'] },
      { action: 'failed', addresses: ['ada@acme.test'], ...expected },
    ]);
  });

  test('by the report’s outcome, if only the text names the recipient', async () => {
    const raw = report(
      'Final-Recipient: rfc822; a17@mx.acme.test\nAction: failed\nStatus: 5.2.2',
      'Not delivered to ada@acme.test',
    );
    expect(await bounceOf(raw)).toMatchObject([
      { addresses: ['a17@mx.acme.test'] },
      { action: 'failed', addresses: ['ada@acme.test'], status: '5.2.2' },
    ]);
  });
});

describe('no bounce is', () => {
  const QUOTED = 'I got this: could not be delivered\n\n<ada@acme.test>: 550 5.1.1 unknown\n';
  const STATUS = `--d\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n--d--`;
  test.each<[string, string, string]>([
    [
      'an answer that quotes a bounce',
      'bob@acme.test',
      `From: Bob <bob@acme.test>\nSubject: Re: Undeliverable\n\n${QUOTED}`,
    ],
    [
      'an answer about a full mailbox',
      'ada@acme.test',
      'From: ada@acme.test\nSubject: Re: Offer\n\nada@acme.test does not exist any more.',
    ],
    [
      'a forwarded bounce',
      'bob@acme.test',
      `From: Bob <bob@acme.test>\nSubject: Fwd: Undelivered\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nSee.\n--o\nContent-Type: message/rfc822\n\nFrom: MAILER-DAEMON@x.test\n\n${QUOTED}--o--`,
    ],
    [
      'an absence note with the null sender',
      NULL_SENDER,
      'From: ada@acme.test\nAuto-Submitted: auto-replied\nSubject: Away\n\nMail to ada@acme.test will not be delivered to me.',
    ],
    [
      'an absence note that only its author’s address explains',
      NULL_SENDER,
      'From: ada@acme.test\nSubject: Away\n\nMail to ada@acme.test could not be delivered to me.',
    ],
    [
      'a notice that names no address',
      NULL_SENDER,
      'From: MAILER-DAEMON@x.test\nSubject: Undeliverable\n\nYour mail could not be delivered.',
    ],
    [
      'a notice that says nothing about delivery',
      NULL_SENDER,
      'From: MAILER-DAEMON@x.test\nSubject: Welcome\n\nHello ada@acme.test',
    ],
    [
      'a report without recipients',
      NULL_SENDER,
      `From: MAILER-DAEMON@x.test\nSubject: Report\nContent-Type: multipart/report; boundary=d\n\n${STATUS}`,
    ],
  ])('%s', async (_what, envelopeFrom, raw) => {
    expect(await bounceOf(raw, envelopeFrom)).toBeNull();
  });
});

test.each([
  ['one address', `could not be delivered <${'a'.repeat(1_000_000)}\n${'<@'.repeat(500_000)}`],
  ['addresses', `could not be delivered\n${'a@b.test '.repeat(200_000)}`],
  ['lines', `could not be delivered\n${'\n'.repeat(500_000)}`],
  ['fields', 'Final-Recipient: a@b.test\n'.repeat(100_000)],
])('an attacker’s report of endless %s is parsed in bounded time', (_what, text) => {
  const mail = { headers: [], subject: null, fromAddress: undefined, attachedMails: [text] };
  const parse = () => parseBounce({ ...mail, notice: text, reports: [text] });
  expect(processorMs(parse, MAX_MS)).toBeLessThanOrEqual(MAX_MS);
});

/** Upper bound on the processor time per report, in ms. */
const MAX_MS = 50;

async function bounceOf(raw: string, envelopeFrom = NULL_SENDER) {
  const mail = await parseMail(Buffer.from(raw.replaceAll('\n', '\r\n')), envelopeFrom);
  return mail.bounce;
}

function report(status: string, text = 'It came back.'): string {
  return `From: postmaster@mx.acme.test\nSubject: Undeliverable\nContent-Type: multipart/report; report-type=delivery-status; boundary=d\n\n--d\nContent-Type: text/plain\n\n${text}\n--d\nContent-Type: message/delivery-status\n\n${status}\n--d--\n`;
}
