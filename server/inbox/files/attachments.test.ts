import { describe, expect, test } from 'vitest';
import { cleanFileName, FILE_NAME_MAX_LENGTH } from '#server/inbox/files/clean-file-name.ts';
import { attachmentProblem, knownContentType } from '#server/inbox/files/content-types.ts';
import { processorMs } from '#test/fixtures/processor-time.ts';

const MB = 1024 * 1024;
const file = (size: number) => ({ name: 'a.txt', size });

describe('a file name', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\invoice.pdf', 'invoice.pdf'],
    ['..', 'file'],
    ['', 'file'],
    ['.htaccess', 'htaccess'],
    ['a\r\nSet-Cookie: x=1', 'aSet-Cookie_ x=1'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['no\0thing.txt', 'nothing.txt'],
    ['say "hi" <b>.txt', 'say _hi_ _b_.txt'],
    ['  two   words .txt ', 'two words .txt'],
    ['Rechnung für Zoë 📄.pdf', 'Rechnung für Zoë 📄.pdf'],
  ])('%j is stored as %j', (input, stored) => {
    expect(cleanFileName(input)).toBe(stored);
  });

  test('that is too long is cut before its extension', () => {
    const name = cleanFileName(`${'ä'.repeat(500)}.pdf`);
    expect([...name]).toHaveLength(FILE_NAME_MAX_LENGTH);
    expect(name).toMatch(/ä\.pdf$/);
  });
});

describe('an attacker cannot block the service with a file name of', () => {
  const LONG = 1_000_000;
  /** Upper bound on the processor time per name, in ms. */
  const MAX_MS = 50;
  test.each([
    ['dots before a letter', `${'.'.repeat(LONG)}a`],
    ['spaces before a letter', `${' '.repeat(LONG)}a`],
    ['dots within letters', `a${'.'.repeat(LONG)}b`],
    ['spaces within letters', `a${' '.repeat(LONG)}b`],
    ['dots and spaces in turn', `a${'. '.repeat(LONG / 2)}b`],
    ['folders', 'a/'.repeat(LONG / 2)],
    ['Windows folders', 'a\\'.repeat(LONG / 2)],
    ['extensions', '.abcdefghij'.repeat(LONG / 11)],
    ['invisible characters', `\u202e`.repeat(LONG)],
    ['half surrogates', '\ud83d'.repeat(LONG)],
    ['pairs of surrogates', '📄'.repeat(LONG / 2)],
    ['combining marks', `e${'\u0301'.repeat(LONG)}`],
    ['line breaks', '\r\n'.repeat(LONG / 2)],
  ])('%s', (_what, name) => {
    expect(processorMs(() => cleanFileName(name), MAX_MS)).toBeLessThanOrEqual(MAX_MS);
    const stored = cleanFileName(name);
    expect([...stored].length).toBeLessThanOrEqual(FILE_NAME_MAX_LENGTH);
    expect(stored.isWellFormed()).toBe(true);
  });
});

describe('the content type of', () => {
  const png = Buffer.from('89504e470d0a1a0a00', 'hex');
  const html = Buffer.from('<script>alert(1)</script>');
  test.each([
    ['a picture', 'image/png', png, 'image/png'],
    ['a picture with a parameter', 'IMAGE/PNG; x=y', png, 'image/png'],
    ['a WebP picture', 'image/webp', Buffer.from('RIFF....WEBPVP8 '), 'image/webp'],
    ['a page that is declared as a picture', 'image/png', html, 'application/octet-stream'],
    ['a picture that is declared as another type', 'image/gif', png, 'application/octet-stream'],
    ['an HTML page', 'text/html', html, 'application/octet-stream'],
    ['an SVG drawing, which can contain a script', 'image/svg+xml', html, 'application/octet-stream'],
    ['XML', 'application/xhtml+xml', html, 'application/octet-stream'],
    ['a script', 'text/javascript', html, 'application/octet-stream'],
    ['a document', 'application/pdf', html, 'application/pdf'],
    ['a file without a declared type', '', html, 'application/octet-stream'],
  ])('%s', (_what, claimed, content, kind) => {
    expect(knownContentType(claimed, content)).toBe(kind);
  });
});

describe('the limits of the files of a message:', () => {
  test.each([
    ['five files', Array.from({ length: 5 }, () => file(4 * MB)), undefined],
    ['six files', Array.from({ length: 6 }, () => file(1)), 'invalid'],
    ['an empty file', [file(1), file(0)], 'invalid'],
    ['a file of 10 MB', [file(10 * MB)], undefined],
    ['a file of 10 MB and one byte', [file(10 * MB + 1)], 'too_large'],
    ['more than 20 MB in total', [file(10 * MB), file(10 * MB), file(1)], 'too_large'],
  ])('%s', (_what, files, kind) => {
    expect(attachmentProblem(files)?.kind).toBe(kind);
  });
});
