import { createHash } from 'node:crypto';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';
import { bytes, parse, parseSingle, TEXT } from '#test/fixtures/mail-parts.ts';

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
    ['application/octet-stream; name=invite.ics', 'attachment', 'text/calendar'],
    ['text/plain', 'attachment; filename=invite.ICS', 'text/calendar'],
    ['application/octet-stream', 'attachment; filename="Re order.eml"', 'message/rfc822'],
    ['application/octet-stream', 'attachment; filename=notes.dat', 'application/octet-stream'],
    ['application/pdf; name=invite.ics', 'attachment', 'application/pdf'],
  ])('%s, %s has the type %s', async (type, disposition, contentType) => {
    const head = `Content-Type: ${type}\r\nContent-Disposition: ${disposition}`;
    const mail = await parse([TEXT, { head, body: 'BEGIN:VCALENDAR' }]);
    expect(mail).toMatchObject({ text: 'See the file.', files: [{ contentType }] });
  });

  test('an invitation that is sent as a calendar and as a file without a type is one file and a card', async () => {
    const event = 'BEGIN:VEVENT\r\nSUMMARY:Demo\r\nDTSTART:20261201T090000Z\r\nEND:VEVENT';
    const body = `BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n${event}\r\nEND:VCALENDAR`;
    const kinds = ['text/calendar; method=REQUEST', 'application/octet-stream; name=invite.ics'];
    const mail = await parse([TEXT, ...kinds.map((kind) => ({ head: `Content-Type: ${kind}`, body }))]);
    expect(mail).toMatchObject({ files: [{ name: 'invite.ics' }], invitation: { title: 'Demo' } });
    const single = await parse([TEXT, { head: `Content-Type: ${kinds[1]}`, body }]);
    expect(single).toMatchObject({ files: [{ name: 'invite.ics' }], invitation: { title: 'Demo' } });
  });

  test.each(['application/octet-stream; name=smime.p7s', 'application/octet-stream; name=signature.asc'])(
    'a detached signature without a type is no file: %s',
    async (type) => {
      const signature = { head: `Content-Type: ${type}`, body: 'data' };
      expect((await parse([TEXT, signature], { kind: 'signed' })).files).toEqual([]);
      expect((await parse([TEXT, signature])).files).toHaveLength(1);
    },
  );

  test.each([
    ['message/rfc822', 'Subject: =?utf-8?q?Re:_Gr=C3=B6=C3=9Fe?=\r\n\r\nHi', 'Re Größe.eml'],
    ['message/global', 'Subject: Größe\r\n\r\nHi', 'Größe.eml'],
    ['message/rfc822', 'From: ada@acme.test\r\n\r\nHi', 'message.eml'],
  ])('an attached %s is named for its subject', async (type, body, name) => {
    expect((await parse([TEXT, { head: `Content-Type: ${type}`, body }])).files).toMatchObject([{ name }]);
  });

  test.each(['application/pdf; name=order.pdf', 'application/pdf', 'text/csv; name=order.csv'])(
    'between the forms of a text: %s',
    async (type) => {
      const mail = await parse([TEXT, { head: `Content-Type: ${type}`, body: 'data' }], {
        kind: 'alternative',
      });
      expect(mail).toMatchObject({ text: 'See the file.', files: [{ contentType: type.split(';')[0] }] });
    },
  );

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

  test('the resource fork that a Mac sends beside a file (RFC 1740)', async () => {
    const fork = { head: 'Content-Type: application/applefile; name=order.pdf', body: 'fork' };
    const file = { head: 'Content-Type: application/pdf; name=order.pdf', body: 'data' };
    const { files } = await parse([fork, file], { kind: 'appledouble' });
    expect(files).toMatchObject([{ name: 'order.pdf', contentType: 'application/pdf' }]);
    expect((await parse([TEXT, fork])).files).toHaveLength(1);
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

test('a picture in the HTML itself is a file that the HTML shows, and the text below it stays', async () => {
  const picture = Buffer.alloc(2_000_000, 7);
  const source = (content: Buffer) => `data:image/png;base64,${content.toString('base64')}`;
  const icon = source(Buffer.alloc(50));
  const html = `<p><img alt="" src="${source(picture)}"></p><p>What does this say? <img src='${icon}'></p>`;
  const mail = await parseSingle('Content-Type: text/html', html);
  expect(mail).toMatchObject({ text: 'What does this say?', files: [{ name: 'image.png', isInline: true }] });
  expect(picture.equals(mail.files[0]?.content ?? Buffer.alloc(0))).toBe(true);
  expect(mail.html).toContain(`src="cid:${mail.files[0]?.contentId}"`);
  expect(mail.html).toContain(icon);
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

  test.each([
    ['utf-8', iconv.encode('Größe', 'latin1')],
    ['iso-8859-1', Buffer.from('Größe')],
    ['ISO-8859-15', Buffer.from('Größe')],
  ])('is the one of the bytes if a form names %s for another one', async (charset, body) => {
    expect((await parseSingle(`Content-Type: text/plain; charset=${charset}`, body)).text).toBe('Größe');
  });

  test('stays as named for a text in UTF-8 that was cut within a character', async () => {
    const body = Buffer.from('Größe in €').subarray(0, -1);
    expect((await parseSingle('Content-Type: text/plain; charset=utf-8', body)).text).toBe('Größe in \ufffd');
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
