import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const attribute = (level: number, id: number, data: Buffer) =>
  Buffer.concat([Buffer.from([level]), u32(id), u32(data.length), data, Buffer.from([0, 0])]);
const property = (tag: number, data: Buffer) =>
  Buffer.concat([u32(tag), u32(1), u32(data.length), data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
const tnef = (...attributes: Buffer[]) =>
  Buffer.concat([u32(0x223e9f78), Buffer.from([1, 0]), ...attributes]);
const started = attribute(2, 0x00069002, Buffer.alloc(14));
const title = (text: Buffer) => attribute(2, 0x00018010, Buffer.concat([text, Buffer.alloc(1)]));
const data = attribute(2, 0x0006800f, Buffer.from('data'));
const properties = (...list: Buffer[]) =>
  attribute(2, 0x00069005, Buffer.concat([u32(list.length), ...list]));
/** Parses a mail with a text and this file. */
const unpacked = (body: Buffer, type = 'application/ms-tnef; name=winmail.dat') =>
  parseMail(
    Buffer.from(
      [
        'From: Ada <ada@acme.test>',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'See the file.',
        '--b',
        `Content-Type: ${type}`,
        'Content-Transfer-Encoding: base64',
        '',
        body.toString('base64'),
        '--b--',
      ].join('\r\n'),
    ),
    undefined,
  );
const codePage = attribute(1, 0x00069007, Buffer.concat([u32(1251), u32(0)]));

test.each([
  [
    'the title in the code page',
    [started, title(iconv.encode('Счёт.pdf', 'cp1251')), data],
    { name: 'Счёт.pdf', contentType: 'application/pdf', contentId: null },
  ],
  [
    'the content and names in properties',
    [
      started,
      title(Buffer.from('RECHNU~1.PNG')),
      properties(
        property(0x3707001f, Buffer.from('Rechnung März.png\0', 'utf16le')),
        property(0x3712001e, Buffer.from('<logo@acme>\0')),
        property(0x37010102, Buffer.from('data')),
      ),
    ],
    { name: 'Rechnung März.png', contentType: 'image/png', contentId: 'logo@acme' },
  ],
])('winmail.dat has its files: %s', async (_name, attributes, file) => {
  const { files } = await unpacked(tnef(codePage, ...attributes));
  expect(files).toEqual([{ ...file, isInline: false, content: Uint8Array.from(Buffer.from('data')) }]);
});

test('winmail.dat stays beside its files when one cannot be unpacked', async () => {
  const mail = properties(property(0x3701000d, Buffer.from('an attached mail of Outlook')));
  const { files } = await unpacked(tnef(started, title(Buffer.from('a.txt')), data, started, mail));
  expect(files.map(({ name }) => name)).toEqual(['a.txt', 'winmail.dat']);
  const cut = await unpacked(tnef(started, title(Buffer.from('a.txt')), data, data.subarray(0, 12)));
  expect(cut.files.map(({ name }) => name)).toEqual(['a.txt', 'winmail.dat']);
  expect((await unpacked(Buffer.from('not TNEF'))).files.map(({ name }) => name)).toEqual(['winmail.dat']);
});

test.each([
  ['application/octet-stream; name=Winmail.DAT', ['a.txt']],
  ['application/vnd.ms-tnef', ['a.txt']],
  ['image/png; name=winmail.dat', ['a.txt']],
  ['application/octet-stream; name=ATT00001.dat', ['a.txt']],
  ['image/png; name=ATT00001.dat', ['ATT00001.dat']],
])('it is unpacked under another type or name: %s', async (type, names) => {
  const { files } = await unpacked(tnef(started, title(Buffer.from('a.txt')), data), type);
  expect(files.map(({ name }) => name)).toEqual(names);
});
