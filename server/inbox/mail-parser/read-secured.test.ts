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
import { describe, expect, test } from 'vitest';
import { parse, parseSingle, TEXT } from '#test/fixtures/mail-parts.ts';

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

  test.each([
    ['application/octet-stream; name=smime.p7m', 'attachment'],
    ['application/octet-stream', 'attachment; filename="SMIME.P7M"'],
    ['application/x-pkcs7-mime', 'attachment'],
    ['application/x-download; name="smime.p7m"', 'inline'],
    ['text/plain', 'attachment; filename=smime.p7m'],
  ])('signed text is shown under other types and names: %s, %s', async (type, disposition) => {
    const other = `Content-Transfer-Encoding: base64\r\nContent-Type: ${type}\r\nContent-Disposition: ${disposition}`;
    const opaque = { head: other, body: cms(id_signedData).toString('base64') };
    expect(await parse([opaque])).toMatchObject({ text: 'Please send order 5.', files: [] });
    expect(
      await parse([TEXT, { head: other, body: cms(id_envelopedData).toString('base64') }]),
    ).toMatchObject({
      files: [{ contentType: expect.stringMatching(/pkcs7-mime$/) }],
      isEncrypted: true,
    });
  });

  test('a signed document stays a file with its bytes', async () => {
    const bare = new OctetString(Buffer.from('<?xml version="1.0"?><Invoice>5</Invoice>'));
    const invoice = new SignedData({
      version: 1,
      encapContentInfo: new EncapsulatedContentInfo({
        eContentType: id_data,
        eContent: new EncapsulatedContent({ single: bare }),
      }),
    });
    const content = AsnConvert.serialize(invoice);
    const data = Buffer.from(AsnConvert.serialize(new ContentInfo({ contentType: id_signedData, content })));
    for (const type of ['application/pkcs7-mime', 'application/octet-stream']) {
      const body = data.toString('base64');
      const fileHead = `Content-Transfer-Encoding: base64\r\nContent-Type: ${type}; name=invoice.xml.p7m`;
      const { text, files, isEncrypted } = await parse([TEXT, { head: fileHead, body }]);
      expect({ text, isEncrypted }).toEqual({ text: 'See the file.', isEncrypted: false });
      expect(files.map(({ name, content }) => [name, Buffer.from(content)])).toEqual([
        ['invoice.xml.p7m', data],
      ]);
    }
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
