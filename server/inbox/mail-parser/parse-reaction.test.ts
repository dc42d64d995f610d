import { describe, expect, test } from 'vitest';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

const TYPE = 'text/vnd.google.email-reaction+json';
const GMAIL = '{"emoji":"👍","version":1}';

describe('a reaction from Gmail', () => {
  const alternative = (part: string) =>
    `Content-Type: multipart/alternative; boundary=z\n\n--z\nContent-Type: text/plain; charset=utf-8\n\n👍 Uma reacted via Gmail\n--z\nContent-Type: ${TYPE}; charset=utf-8\n${part}\n--z\nContent-Type: text/html; charset=utf-8\n\n<p>👍</p>\n--z--`;
  test.each([
    ['between text and HTML', alternative(`\n${GMAIL}`)],
    [
      'in base64',
      alternative(`Content-Transfer-Encoding: base64\n\n${Buffer.from(GMAIL).toString('base64')}`),
    ],
    ['as the whole mail', `Content-Type: ${TYPE}; charset=utf-8\n\n${GMAIL}`],
  ])('%s is read, and is no file', async (_where, rest) => {
    expect(await parse(rest)).toMatchObject({ reaction: { emoji: '👍' }, files: [] });
  });

  test.each([
    ['two emoji', alternative('\n{"emoji":"👍👍","version":1}')],
    ['text', alternative('\n{"emoji":"Pay me","version":1}')],
    ['another version', alternative('\n{"emoji":"👍","version":2}')],
    ['invalid JSON', alternative('\n{"emoji":')],
    ['an attached file of the type', alternative(`Content-Disposition: attachment\n\n${GMAIL}`)],
  ])('with %s is ordinary mail', async (_what, rest) => {
    expect((await parse(rest)).reaction).toBeNull();
  });
});

describe('a reaction from Outlook', () => {
  test.each([
    [
      'with an emoji',
      '\n❤️ Uma Falk reacted to your message:\n\nFrom: Support <s@x.test>\nSent: Monday\nTo: Uma\nSubject: Offer\n\nHello',
      '❤️',
    ],
    ['with a picture', '\nUma Falk reacted to your message:', null],
    ['in German', '\n👍 Uma Falk hat auf Ihre Nachricht reagiert:', '👍'],
    ['named in a header', 'X-MS-Reactions: celebrate\n\nUma', '🎉'],
  ])('%s is read', async (_how, rest, emoji) => {
    expect((await parse(rest)).reaction).toEqual({ emoji });
  });

  test.each([
    ['a person who writes about a reaction', '\nI saw that Bob reacted to your message.'],
    ['a person who adds something', '\n👍 Uma Falk reacted to your message:\n\nBut where is my parcel?'],
    ['a person whose organization allows reactions', 'X-MS-Reactions: allow\n\nWhere is my parcel?'],
    ['a person whose organization disallows reactions', 'X-MS-Reactions: disallow\n\nWhere is my parcel?'],
    ['a person who answers with an emoji', '\n👍'],
  ])('is not read in mail of %s', async (_who, rest) => {
    expect((await parse(rest)).reaction).toBeNull();
  });
});

function parse(rest: string) {
  const head = rest.startsWith('\n') ? 'Content-Type: text/plain; charset=utf-8\n' : 'MIME-Version: 1.0\n';
  const raw = `From: Uma Falk <uma@falk.test>\nSubject: Re: Offer\nIn-Reply-To: <1@x.test>\n${head}${rest}`;
  return parseMail(Buffer.from(raw.replaceAll('\n', '\r\n')), 'uma@falk.test');
}
