import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { asciiEmail } from '#server/core/email-domain.ts';
import { findAgreedAuthor } from '#server/inbox/mail-parser/authenticate-mail.ts';
import { parseAuthor } from '#server/inbox/mail-parser/mail-addresses.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

// Three parsers read the author: ours, postal-mime's, and mailauth's, which evaluates SPF, DKIM and DMARC. A mail that
// passes for one author and shows another author is a forgery.

/** Number of header sections per property. A past disagreement was found after far fewer. */
const RUNS = 2_500;

test('all parsers find the same author in headers that mail programs write', async () => {
  const mail = fc.tuple(otherFields, honestFrom, otherFields);
  await fc.assert(
    fc.asyncProperty(mail, async ([before, from, after]) => {
      const fields = [...before, `From: ${from}`, ...after];
      expect(await expectAgreement(Buffer.from(`${fields.join('\r\n')}\r\n\r\nHi\r\n`))).toBe(true);
    }),
    { numRuns: RUNS / 4 },
  );
});

test.each([
  ['"Lea Roth" <>', 'lea@roth.test', 'Lea Roth'],
  ['Lea Roth', 'lea@roth.test', 'Lea Roth'],
  ['"Shop" <>', 'Lea <lea@roth.test>', 'Lea'],
  ['"Lea Roth" <web@shop.test>', 'lea@roth.test', ''],
])('From %s and Reply-To %s name %s', async (from, replyTo, name) => {
  const mail = await parseMail(Buffer.from(`From: ${from}\r\nReply-To: ${replyTo}\r\n\r\nHi\r\n`), undefined);
  expect(mail.replyTo).toEqual([{ name, address: 'lea@roth.test' }]);
});

test.each([
  ['山田\u3000太郎 <taro@yamada.test>', true],
  ['taro@yamada.test (山田\u3000太郎)', true],
  ['taro@yamada.test (Taro)\u3000Yamada', false],
  ['taro@yamada.test\u00a0(Taro) Yamada', false],
  ['taro@yamada.test(Taro)\u3000\r\n Yamada', false],
])('whether %j names one author to every parser: %s', (from, isUnambiguous) => {
  expect(parseAuthor(Buffer.from(`From: ${from}\r\n\r\nHi\r\n`)).isUnambiguous).toBe(isUnambiguous);
});

const PIECES = [
  ...['From', 'from', 'FROM', 'Sender', 'X-From', 'From:', 'From :', 'From: ', 'From\r\n :', 'X: y'],
  ...[
    '\r\n',
    '\r\n ',
    '\r\n\t',
    '\n',
    '\n ',
    '\r',
    '\r\r\n',
    '\n\r',
    '\r\n\r\n',
    '\n\n',
    '\0',
    '\v',
    '\f',
    '\x1b',
  ],
  ...['\u00a0', '\ufeff', '\u2028', '\u3000', '\u0085', '\u202e', 'ﬀ', '＠', '．'],
  ...[
    ' ',
    '\t',
    ':',
    ';',
    ',',
    '<',
    '>',
    '"',
    '\\',
    '(',
    ')',
    '[',
    ']',
    '@',
    '.',
    '=',
    '?',
    '%',
    '!',
    '\\"',
    '""',
  ],
  ...[
    'victim@bank.test',
    '<victim@bank.test>',
    '"victim@bank"@evil.test',
    '"victim@bank.test"',
    'me@evil.test',
  ],
  ...[
    '<me@evil.test>',
    '(me@evil.test)',
    'Group: me@evil.test;',
    '<@bank.test:me@evil.test>',
    'a@b@evil.test',
  ],
  ...['=?utf-8?Q?', '?=', '=?utf-8?Q?victim=40bank.test?=', '=?utf-8?B?PHZpY3RpbUBiYW5rLnRlc3Q+?=', 'Bank'],
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((pieces) => ['From: ', ...pieces]),
  fc
    .array(fc.constantFrom(...PIECES), { maxLength: 6 })
    .map((pieces) => ['From: victim@bank.test', ...pieces, '\r\nSubject: x']),
);

test('an attacker finds no verifiable header section that parsers read differently', async () => {
  let unambiguous = 0;
  await fc.assert(
    fc.asyncProperty(hostile, fc.constantFrom('\r\n\r\nHi', '\n\nHi', ''), async (pieces, end) => {
      if (await expectAgreement(Buffer.from(pieces.join('') + end))) unambiguous += 1;
    }),
    { numRuns: RUNS },
  );
  expect(unambiguous).toBeGreaterThan(RUNS / 50);
});

test('an attacker finds no such header section among random bytes', async () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (before, after) => {
      await expectAgreement(
        Buffer.concat([Buffer.from('From: '), before, Buffer.from('me@evil.test'), after]),
      );
    }),
    { numRuns: RUNS / 4 },
  );
});

/** Fails when a mail could pass for one author and shows another author. Returns whether the mail could pass. */
async function expectAgreement(raw: Buffer): Promise<boolean> {
  const { headerFrom } = await dkimVerify(raw, { sender: 'me@evil.test' });
  const author = findAgreedAuthor(raw, headerFrom);
  if (author === null) return false;
  expect((await parseMail(raw, undefined)).from?.address).toBe(author);
  expect(unquoted(await postalMimeAuthor(raw))).toBe(unquoted(author));
  return true;
}

async function postalMimeAuthor(raw: Buffer): Promise<string | undefined> {
  const { from } = await PostalMime.parse(raw);
  const [only, ...others] = from?.group ?? (from ? [from] : []);
  return others.length === 0 ? asciiEmail(only?.address?.trim() ?? '') : undefined;
}

/** postal-mime drops the quotes of a quoted local part outside of angle brackets. */
function unquoted(address: string | undefined) {
  return address?.replaceAll(/["\\]/g, '');
}

const local = fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,12}$/);
const address = fc.oneof(
  fc.tuple(local, fc.constantFrom('bank.test', 'Evil.Test', 'münchen.test', 'xn--mnchen-3ya.test')),
  fc.tuple(fc.constantFrom('"victim@bank"', '"a b"', '"a\\"b"'), fc.constantFrom('evil.test')),
);
const name = fc.constantFrom(
  '',
  'Ada Lovelace',
  '"Lovelace, Ada"',
  '"ada@bank.test"',
  '=?utf-8?Q?Ada_L=C3=B6velace?=',
  '=?utf-8?B?QWRhQGJhbmsudGVzdA==?=',
  '=?utf-8?Q?Ada?=\r\n =?utf-8?Q?Lovelace?=',
  'Ada\r\n\tLovelace',
  'Ada Lövelace',
);
const honestFrom = fc.tuple(name, address, fc.boolean()).map(([shown, [left, right], isBare]) => {
  const whole = `${left}@${right}`;
  return shown === '' && isBare ? whole : `${shown} <${whole}>`;
});
const otherFields = fc.array(
  fc.constantFrom(
    'To: b@c.test',
    'Subject: Hi\r\n there',
    'X-From: x@evil.test',
    'Received: from a\r\n\tby b',
  ),
  { maxLength: 4 },
);
