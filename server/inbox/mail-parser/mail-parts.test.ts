import { createHash } from 'node:crypto';
import {
  ContentInfo,
  EncapsulatedContent,
  EncapsulatedContentInfo,
  id_data,
  id_envelopedData,
  id_signedData,
  SignedData,
} from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

type Part = { head: string; body: string | Uint8Array };

const FROM = 'From: Ada <ada@acme.test>\r\nSubject: Hello\r\nMIME-Version: 1.0\r\n';
const TEXT: Part = { head: 'Content-Type: text/plain; charset=utf-8', body: 'See the file.' };

function parse(parts: Part[], { kind = 'mixed' } = {}) {
  const pieces = parts.flatMap((part) => [`--b\r\n${part.head}\r\n\r\n`, part.body, '\r\n']);
  return parseMail(
    bytes([`${FROM}Content-Type: multipart/${kind}; boundary=b\r\n\r\n`, ...pieces, '--b--\r\n']),
    undefined,
  );
}

/** Parses a mail without parts. */
function parseSingle(head: string, body: string | Uint8Array) {
  return parseMail(bytes([`${FROM}${head}\r\n\r\n`, body]), undefined);
}

function bytes(pieces: (string | Uint8Array)[]): Buffer {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
}

describe('a part is a file', () => {
  test.each([
    ['text/plain; name=router.log', 'inline; filename=router.log', 'router.log'],
    ['text/html; charset=utf-8', 'inline; filename="page.html"', 'page.html'],
    ['image/jpeg', 'attachment', 'image.jpg'],
    ['image/png', 'inline', 'image.png'],
    ['application/pdf', 'attachment', 'file.pdf'],
    ['audio/mpeg', 'attachment', 'audio.mp3'],
    ['application/octet-stream', 'attachment', 'file'],
    ['text/plain', 'attachment', 'file.txt'],
    ['application/x-unheard-of', 'attachment', 'file'],
    ['application/pgp-keys', "attachment; filename*=utf-8''Schl%C3%BCssel.asc", 'Schlüssel.asc'],
  ])('%s, %s: %s', async (type, disposition, name) => {
    const head = `Content-Type: ${type}\r\nContent-Disposition: ${disposition}`;
    const mail = await parse([TEXT, { head, body: 'data' }]);
    expect(mail).toMatchObject({ text: 'See the file.', files: [{ name }] });
  });

  test.each([
    ['message/rfc822', 'Subject: =?utf-8?q?Re:_Gr=C3=B6=C3=9Fe?=\r\n\r\nHi', 'Re Größe.eml'],
    ['message/global', 'Subject: Größe\r\n\r\nHi', 'Größe.eml'],
    ['message/rfc822', 'From: ada@acme.test\r\n\r\nHi', 'message.eml'],
  ])('an attached %s is named for its subject', async (type, body, name) => {
    expect((await parse([TEXT, { head: `Content-Type: ${type}`, body }])).files).toMatchObject([{ name }]);
  });

  test('a single text with a file name is the text of its mail', async () => {
    const head = 'Content-Type: text/plain\r\nContent-Disposition: inline; filename=body.txt';
    expect(await parseSingle(head, 'Where is order 12?')).toMatchObject({
      text: 'Where is order 12?',
      files: [],
    });
  });
});

describe('what mail programs do not show is no file', () => {
  test.each(['text/x-amp-html', 'text/watch-html', 'text/enriched'])(
    'another form of the text: %s',
    async (type) => {
      const mail = await parse([TEXT, { head: `Content-Type: ${type}`, body: '<html ⚡4email></html>' }], {
        kind: 'alternative',
      });
      expect(mail).toMatchObject({ text: 'See the file.', files: [] });
    },
  );

  test.each(['message/disposition-notification', 'text/rfc822-headers'])('%s', async (type) => {
    expect((await parse([TEXT, { head: `Content-Type: ${type}`, body: 'Subject: Hi' }])).files).toEqual([]);
  });

  test('the second of two equal calendars; the one with a name is kept', async () => {
    const body = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
    const calendar = { head: 'Content-Type: text/calendar; method=REQUEST', body };
    const named = { head: 'Content-Type: application/ics; name="call.ics"', body: body.trim() };
    expect((await parse([TEXT, calendar, named])).files).toMatchObject([{ name: 'call.ics' }]);
    expect((await parse([TEXT, calendar, { ...named, body: 'BEGIN:VCALENDAR' }])).files).toHaveLength(2);
  });
});

describe('a file has the bytes that the sender attached', () => {
  const lines = Buffer.from('one\r\ntwo\r\n\r\nthree \r\n');
  const binary = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  test.each([
    ['7bit', lines, lines],
    ['8bit', Buffer.from('Größe\r\n'), Buffer.from('Größe\r\n')],
    [
      'quoted-printable',
      Buffer.from('one\r\ntwo =E2=82=AC=\r\n!=\r\n=0D=0A\r\n'),
      Buffer.from('one\r\ntwo €!\r\n\r\n'),
    ],
    ['quoted-printable', Buffer.from('50=25 = 5 =zz =\t \r\n.'), Buffer.from('50% = 5 =zz .')],
    ['base64', Buffer.from(binary.toString('base64')), binary],
    ['base64', Buffer.from(lines.toString('base64')), lines],
  ])('in %s (%#)', async (encoding, body, expected) => {
    for (const type of ['text/csv', 'text/calendar', 'application/octet-stream']) {
      const head = `Content-Type: ${type}; charset=utf-8\r\nContent-Disposition: attachment; filename=a.bin\r\nContent-Transfer-Encoding: ${encoding}`;
      const [file] = (await parse([TEXT, { head, body }])).files;
      const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
      expect([type, hash(file?.content ?? Buffer.alloc(0))]).toEqual([type, hash(expected)]);
    }
  });
});

test.each([
  ['photo%40acme', '<photo@acme>'],
  ['a&amp;b@acme', '<a&b@acme>'],
  ['a&#64;acme', '<A@acme>'],
  ['50%@acme', '<50%@acme>'],
])('a picture is found by its Content-ID: cid:%s', async (address, id) => {
  const html = { head: 'Content-Type: text/html', body: `<p>Look</p><img src="cid:${address}">` };
  const picture = { head: `Content-Type: image/png\r\nContent-ID: ${id}`, body: 'data' };
  expect((await parse([html, picture], { kind: 'related' })).files).toMatchObject([{ isInline: true }]);
});

describe('the text of a charset', () => {
  test.each([
    ['cp437', 'Größe in £'],
    ['ibm850', 'Größe'],
    ['cp1125', 'Їжак і ґава'],
    ['cp866', 'Привет'],
    ['windows-1251', 'Привет'],
    ['koi8-u', 'Їжак'],
    ['gb18030', '你好'],
    ['iso-2022-jp', 'こんにちは', '\x1b$B$3$s$K$A$O\x1b(B'],
    ['utf-7', 'Größe', 'Gr+APYA3w-e'],
    ['unicode-1-1-utf-7', 'Größe', 'Gr+APYA3w-e'],
    ['utf-16le', 'Größe'],
  ])('%s', async (charset, text, written: string = '') => {
    const body = written === '' ? iconv.encode(text, charset) : Buffer.from(written, 'latin1');
    expect((await parseSingle(`Content-Type: text/plain; charset=${charset}`, body)).text).toBe(text);
  });

  test.each([
    ['Content-Type: text/plain', iconv.encode('Größe', 'latin1')],
    ['Content-Type: text/plain; charset=us-ascii', iconv.encode('Größe', 'latin1')],
    ['Content-Type: text/plain; charset=unknown-8bit', iconv.encode('Größe', 'latin1')],
    ['Content-Type: text/plain', Buffer.from('Größe')],
    ['Content-Type: text', Buffer.from('Größe')],
    ['Content-Type: text/html', iconv.encode('<meta charset="windows-1252"><p>Größe</p>', 'latin1')],
    [
      'Content-Type: text/html',
      iconv.encode(
        '<meta http-equiv="Content-Type" content="text/html; charset=ibm850"><p>Größe</p>',
        'cp850',
      ),
    ],
  ])('that is not named: %s (%#)', async (head, body) => {
    expect((await parseSingle(head, body)).text).toBe('Größe');
  });

  test('that nobody knows is shown with a note, unless it is all ASCII', async () => {
    const head = 'Content-Type: text/plain; charset=x-mystery';
    expect((await parseSingle(head, 'Hello')).text).toBe('Hello');
    const { text } = await parseSingle(head, iconv.encode('Größe', 'latin1'));
    expect(text).toMatch(/^\[The characters of this text are in “x-mystery”, .*\]\n\nGröße$/);
  });
});

test.each(['iso-8859-1', 'utf-8'])(
  'raw bytes in headers are read in the charset of the text: %s',
  async (charset) => {
    const latin = (text: string) => iconv.encode(text, 'latin1');
    const head = latin('From: Jürgen Müller <j@acme.test>\r\nTo: Bär <b@acme.test>\r\nSubject: Größe\r\n');
    const file = latin(
      'Content-Type: application/pdf; name="März.pdf"\r\nContent-Disposition: attachment; filename="März.pdf"',
    );
    const mail = await parseMail(
      bytes([
        head,
        'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
        `--b\r\nContent-Type: text/plain; charset=${charset}\r\n\r\nHi\r\n--b\r\n`,
        file,
        '\r\n\r\ndata\r\n--b--\r\n',
      ]),
      undefined,
    );
    expect(mail).toMatchObject({
      from: { name: 'Jürgen Müller', address: 'j@acme.test' },
      to: [{ name: 'Bär' }],
      subject: 'Größe',
      files: [{ name: 'März.pdf' }],
    });
  },
);

describe('a multipart with a wrong boundary', () => {
  test('is decoded as text when it has no parts', async () => {
    const head =
      'Content-Transfer-Encoding: quoted-printable\r\nContent-Type: multipart/mixed; boundary="none"';
    expect((await parseSingle(head, 'Gr=C3=BC=C3=9Fe aus K=C3=B6ln')).text).toBe('Grüße aus Köln');
    expect((await parseSingle(head, '<html><p>Gr=C3=BC=C3=9Fe</p></html>')).text).toBe('Grüße');
  });

  test.each(['multipart/mixed; boundary="other"', 'multipart/mixed'])('has its parts: %s', async (type) => {
    const parts =
      '--b\r\nContent-Type: text/plain\r\n\r\nHi\r\n--b\r\nContent-Type: image/png\r\n\r\ndata\r\n--b--';
    const mail = await parseSingle(`Content-Type: ${type}`, `Preamble\r\n${parts}`);
    expect(mail).toMatchObject({ text: 'Hi', files: [{ name: 'image.png' }] });
  });
});

describe('S/MIME', () => {
  const entity = Buffer.from('Content-Type: text/plain; charset=utf-8\r\n\r\nPlease send order 5.\r\n');
  const cms = (kind: string) =>
    Buffer.from(
      AsnConvert.serialize(new ContentInfo({ contentType: kind, content: AsnConvert.serialize(signed) })),
    );
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: id_data,
      eContent: new EncapsulatedContent({ single: new OctetString(entity) }),
    }),
  });
  /** The same with lengths that are not known before the end, as streaming programs write it (BER). */
  const streamed = Buffer.from(
    `308006092a864886f70d010702a080308002010131003080` +
      `06092a864886f70d010701a080248004${(30).toString(16).padStart(2, '0')}${entity.subarray(0, 30).toString('hex')}` +
      `04${(entity.length - 30).toString(16).padStart(2, '0')}${entity.subarray(30).toString('hex')}0000000000003100000000000000`,
    'hex',
  );
  const head = 'Content-Transfer-Encoding: base64\r\nContent-Type: application/pkcs7-mime; name=smime.p7m';

  test.each([
    ['DER', cms(id_signedData)],
    ['BER', streamed],
  ])('signed text is shown without a key, and is no file: %s', async (_name, data) => {
    const mail = await parseSingle(head, data.toString('base64'));
    expect(mail).toMatchObject({ text: 'Please send order 5.', files: [], isEncrypted: false });
  });

  test('an encrypted text stays a file', async () => {
    const mail = await parseSingle(head, cms(id_envelopedData).toString('base64'));
    expect(mail).toMatchObject({ text: '', files: [{ name: 'smime.p7m' }], isEncrypted: true });
  });

  test('what is neither stays a file', async () => {
    const mail = await parseSingle(head, Buffer.from('hello').toString('base64'));
    expect(mail).toMatchObject({ files: [{ name: 'smime.p7m' }], isEncrypted: false });
  });
});
