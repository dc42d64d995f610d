import { expect, test } from 'vitest';
import { decodeFlowed } from '#server/inbox/mail-parser/decode-flowed.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';
import { millisecondsOf } from '#test/fixtures/processor-time.ts';

test.each([
  ['lines of a paragraph', 'One \ntwo \nthree.\nFour.', 'One two three.\nFour.'],
  [
    'an answer below a quoted line that ends with a space',
    '> Which size? \n42. \n> And? \nBlue.',
    '> Which size? \n42. \n> And? \nBlue.',
  ],
  ['a quoted paragraph', '> One \n> two.\nYes.', '> One two.\nYes.'],
  ['quotes of two depths', '> One \n>> two \n>> three\n> > four', '> One \n> > two three\n> > four'],
  ['a line that starts with a stuffed space', ' From here \n >no quote', 'From here >no quote'],
  ['an empty line after a line with a space', 'One \n\nTwo', 'One \n\nTwo'],
  ['the separator of the signature', 'Bye. \n-- \nAda', 'Bye. \n-- \nAda'],
  ['a quoted separator of the signature', '> Bye \n> -- \n> Ada', '> Bye \n> -- \n> Ada'],
])('flowed lines are joined as their author meant them: %s', (_what, flowed, joined) => {
  expect(decodeFlowed(flowed.replaceAll('\n', '\r\n'), false)).toBe(joined);
});

test('with DelSp the space at the end of a line is removed', () => {
  expect(decodeFlowed('日本 \n語。\n> 一 \n> 二', true)).toBe('日本語。\n> 一二');
});

test('a paragraph of 100,000 flowed lines is joined in linear time', () => {
  const text = 'word \n'.repeat(100_000);
  const start = process.cpuUsage();
  expect(decodeFlowed(text, false)).toBe(`${'word '.repeat(100_000)}\n`);
  expect(millisecondsOf(process.cpuUsage(start))).toBeLessThan(2_000);
});

test.each([
  [
    'plain',
    'format=flowed',
    'Hello,\r\n\r\nOn 3/4/26 10:02, Help wrote:\r\n> Which size? \r\n42, please. \r\n> And which colour? \r\nBlue.',
    '42, please.',
  ],
  ['with DelSp', 'format="flowed"; delsp=yes', '> Which size? \r\n42,  \r\nplease.', '42, please.'],
])(
  'an answer between flowed quotes is kept as a line of its own: %s',
  async (_what, format, body, answer) => {
    const mail = await parseMail(
      Buffer.from(
        `From: ada@acme.test\r\nSubject: Re: Size\r\nContent-Type: text/plain; ${format}\r\n\r\n${body}`,
      ),
      undefined,
    );
    expect(mail.text.split('\n')).toContain(answer);
  },
);
