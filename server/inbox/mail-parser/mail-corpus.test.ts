import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseThread } from '#server/inbox/incoming-mail/choose-thread.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';
import type { ParsedMail, ReportedRecipient } from '#server/inbox/mail-parser/parsed-mail.ts';
import { readRawMail } from '#test/fixtures/read-raw-mail.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();

const FOLDER = new URL('../../../test/mails/', import.meta.url);
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.eml'))
  .map((name) => name.slice(0, -'.eml'.length));

test('the corpus covers more than ten mail programs, more than eight languages, and every kind', () => {
  const named = (part: RegExp) => new Set(NAMES.flatMap((name) => part.exec(name)?.[1] ?? []));
  expect(named(CLIENTS).size).toBeGreaterThan(10);
  expect(named(LANGUAGES).size).toBeGreaterThan(8);
  expect(KINDS.filter((kind) => !NAMES.some((name) => name.includes(kind)))).toEqual([]);
  expect(NAMES.length).toBeGreaterThanOrEqual(60);
});

describe.each(NAMES)('%s', (name) => {
  test('has the expected subject, files, kind and thread', async () => {
    const { mail, expected } = await read(name);
    expect({
      subject: mail.subject,
      files: mail.files.filter(({ isInline }) => !isInline).length,
      inline: mail.files.filter(({ isInline }) => isInline).length,
      automatic: mail.automatic,
      bounce: mail.bounce,
      thread: await threadOf(mail),
    }).toEqual({
      subject: expected.subject,
      files: expected.files,
      inline: expected.inline,
      automatic: expected.automatic,
      bounce: expected.bounce,
      thread: expected.thread,
    });
  });

  test('keeps every required part', async () => {
    const input = await read(name);
    const { mail, expected } = input;
    if (!isEmptyOnPurpose(input)) expect(mail.text.trim()).not.toBe('');
    const shown = [mail.text, ...mail.files.map((file) => file.name)].join('\n');
    for (const part of expected.keeps ?? []) expect(shown).toContain(part);
    // The trimmed part stays readable on demand.
    if (mail.fullText !== null) expect(mail.fullText.length).toBeGreaterThan(mail.text.length);
  });
});

test('at least 95% of the mails are trimmed correctly', async () => {
  const wrong: unknown[] = [];
  let judged = 0;
  for (const name of NAMES) {
    const { mail, expected } = await read(name);
    if (expected.text === null) continue;
    judged += 1;
    if (mail.text !== expected.text || (mail.fullText !== null) !== expected.isTrimmed) {
      wrong.push({ name, text: mail.text, expected: expected.text });
    }
  }
  expect(wrong.length / judged, JSON.stringify(wrong, null, 2)).toBeLessThanOrEqual(0.05);
});

test('a mail of 25 MB is read with its files', async () => {
  const [large, small] = [Buffer.alloc(18 * 1024 * 1024, 7), Buffer.from('small')];
  const part = (name: string, content: Buffer) =>
    `--b\r\nContent-Type: application/octet-stream; name=${name}\r\nContent-Disposition: attachment; filename=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${(content.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n')}\r\n`;
  const raw = Buffer.from(
    `From: ada@acme.test\r\nSubject: Large\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nTwo files.\r\n${part('large.bin', large)}${part('small.bin', small)}--b--\r\n`,
  );
  expect(raw.length).toBeGreaterThan(24 * 1024 * 1024);
  const mail = await readRawMail(raw, 'ada@acme.test');
  expect(mail.text).toBe('Two files.');
  expect(mail.files.map(({ name, content }) => [name, content.byteLength])).toEqual([
    ['large.bin', large.length],
    ['small.bin', small.length],
  ]);
  expect(Buffer.from(mail.files[0]?.content ?? []).equals(large)).toBe(true);
});

async function read(name: string) {
  const raw = readFileSync(new URL(`${name}.eml`, FOLDER));
  const expected = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Expectation;
  return { raw, expected, mail: await parseMail(raw, undefined) };
}

async function threadOf(mail: ParsedMail) {
  const thread = await chooseThread(
    { ...mail, sender: mail.from?.address ?? null, authentication: 'passed', repliesTo: [] },
    {
      byReference: async (ids) => new Map([...KNOWN].filter(([id]) => ids.includes(id))),
      byConversation: async () => [],
      isTeammate: async () => false,
      inCopy: async () => new Set<string>(),
    },
  );
  return thread.conversationId;
}

function isEmptyOnPurpose({ expected }: Awaited<ReturnType<typeof read>>) {
  return expected.text === '';
}

/** Expected result for a mail in `test/mails/`. `text` is null when only `keeps` lists required parts. */
type Expectation = {
  text: string | null;
  isTrimmed: boolean;
  files: number;
  inline: number;
  automatic: string | null;
  bounce: ReportedRecipient[] | null;
  subject: string | null;
  /** Key of the conversation that the mail belongs to. */
  thread: string | null;
  keeps?: string[];
};

/** Known Message-IDs: two conversations of Ada, one of another contact. */
const KNOWN = new Map([
  ['<m0@inbox.test>', { conversationId: 'm0', contactEmails: ['ada@acme.test'], claimedEmail: null }],
  ['<m1@inbox.test>', { conversationId: 'm1', contactEmails: ['ada@acme.test'], claimedEmail: null }],
  ['<m2@inbox.test>', { conversationId: 'm2', contactEmails: ['charles@bank.test'], claimedEmail: null }],
]);

/** Mail programs, by the file name's prefix. */
const CLIENTS =
  /^(gmail|outlook|apple|iphone|thunderbird|yahoo|samsung|proton|zoho|k9|fairemail|roundcube|lotus|webde)\b/;
const LANGUAGES = /-(de|en|es|fi|fr|it|ja|nl|pl|pt|ru|sv)$/;
const KINDS = ['absence', 'bounce', 'calendar', 'forward', 'mailing-list', 'winmail', 'inline', 'broken'];
