import { describe, expect, test } from 'vitest';
import { parseAddresses, parseWords } from '#server/inbox/mail-parser/mail-addresses.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

const parse = (body: string, { subject = 'Hello', from = 'Ada <ada@acme.test>', type = 'text/plain' } = {}) =>
  parseMail(
    Buffer.from(
      `From: ${from}\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}`,
    ),
    undefined,
  );

/** A part of a multipart body with the boundary `b`. */
const part = (type: string, body: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;

test.each([
  ['<img src="cid:logo" data-remote="https://evil.test/pixel.gif">', '<img src="cid:logo" />'],
  ['<img data-remote="https://evil.test/pixel.gif">', '<img />'],
  [
    '<img data-remote="https://evil.test/a" src="https://shop.test/b.png">',
    '<img data-remote="https://shop.test/b.png" />',
  ],
])('an attacker’s own data-remote attribute is replaced: %s', async (html, shown) => {
  expect((await parse(`<p>Hi</p>${html}`, { type: 'text/html' })).html?.trim()).toBe(`<p>Hi</p>${shown}`);
});

test('what the page hides is in neither the text nor the HTML', async () => {
  const hidden = '<div style="display:none;max-height:0">Open me <b>now</b></div>';
  const mail = await parse(`${hidden}<p>Cancel 77.</p>`, { type: 'text/html' });
  expect([mail.text, mail.html?.trim()]).toEqual(['Cancel 77.', '<p>Cancel 77.</p>']);
});

test.each([
  '<html><head><style>p { margin: 0 }</style><p>Cancel 77.</p></html>',
  '<html><head><title>Order</title><p>Cancel 77.</p></head><body></body></html>',
])('text in a head that nobody closed is shown, as browsers show it: %s', async (html) => {
  const mail = await parse(html, { type: 'text/html' });
  expect([mail.text, mail.html?.trim()]).toEqual(['Cancel 77.', '<p>Cancel 77.</p>']);
});

test.each([
  ['This message needs an HTML viewer.', 'Where is order 12?'],
  ['How do I write HTML?', 'How do I write HTML?'],
  ['Where is order 12?', 'Where is order 12?'],
])('plain text that only points to the HTML gives way to it: %s', async (plain, text) => {
  const body = `${part('text/plain', plain)}${part('text/html', `<p>${text}</p><p>Ada</p>`)}--b--\r\n`;
  const mail = await parse(body, { type: 'multipart/alternative; boundary=b' });
  expect(mail.text.split('\n')[0]).toBe(text);
});

test.each(['application/pkcs7-signature', 'application/pgp-signature'])(
  'the detached signature of a signed mail is no file: %s',
  async (kind) => {
    const body = `${part('text/plain', 'Is it confirmed?')}${part(`${kind}; name=smime.p7s`, 'aGVsbG8=')}--b--\r\n`;
    const signed = await parse(body, { type: 'multipart/signed; boundary=b' });
    expect(signed).toMatchObject({ text: 'Is it confirmed?', files: [], isEncrypted: false });
    // Sent as a file, it is one.
    expect((await parse(body, { type: 'multipart/mixed; boundary=b' })).files).toHaveLength(1);
  },
);

test.each(['=0D=0A', '=0A', '=0D', '=0B', '=0C', '=C2=85', '=E2=80=A8', '=E2=80=A9'])(
  'an attacker who encodes the line break %s in a subject or a name gets a single line',
  async (bytes) => {
    const subject = `=?utf-8?Q?Order${bytes}Bcc:_victim@bank.test?=`;
    const from = `=?utf-8?Q?Ada${bytes}Lovelace?= <ada@acme.test>`;
    expect(await parse('Hi', { subject, from })).toMatchObject({
      subject: 'Order Bcc: victim@bank.test',
      from: { name: 'Ada Lovelace' },
    });
    // The fallback for mails that cannot be parsed folds the headers too.
    expect(parseWords(subject)).toBe('Order Bcc: victim@bank.test');
    expect(parseAddresses(from)[0]?.name).toBe('Ada Lovelace');
  },
);

describe('text that only resembles a header block is not cut', () => {
  test.each([
    'Please book: From: Berlin To: Paris Date: 3 May',
    'Please book:\nFrom: Berlin\nTo: Paris\nDate: 3 May',
    'Please book:\n\nFrom: Berlin To: Paris Subject: our trip\n\nThanks, Ada',
    'Please book:\n\nFrom: Berlin <main station>\nTo: Paris [Nord]\n\nThanks, Ada',
    'A parcel for you.\nFrom: Ada\nTo: Charles\nSubject: birthday',
  ])('%j', async (text) => {
    expect(await parse(text)).toMatchObject({ text, fullText: null });
  });

  test('in HTML', async () => {
    const html = '<p>Please book:</p><p>From: Berlin<br>To: Paris<br>Date: 3 May</p><p>Thanks</p>';
    const mail = await parse(html, { type: 'text/html' });
    expect(mail).toMatchObject({ text: expect.stringContaining('Date: 3 May'), fullText: null });
  });

  test.each([
    'Thanks!\n\nFrom: Inbox <support@inbox.test>\nTo: Ada\nSubject: Your order\n\nWhere is it?',
    'Thanks!\n\nFrom: Support\nSent: Monday, 4 May 2026 10:04\nTo: Ada\nSubject: Your order\n\nWhere is it?',
  ])('but a quoted mail is cut: %j', async (text) => {
    expect(await parse(text, { subject: 'Re: Hello' })).toMatchObject({ text: 'Thanks!', fullText: text });
  });
});
