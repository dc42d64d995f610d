import { afterEach, describe, expect } from 'vitest';
import { viewOf } from '#test/clients/chat-client.ts';
import { closeRequests, END, field, fileHead, MB, sendWhole, texts } from '#test/clients/chat-uploads.ts';
import { test } from '#test/fixtures/chat-test.ts';
import { leastMs } from '#test/fixtures/processor-time.ts';

/** Processor time that counts as blocking, in ms. */
const BLOCKING_MS = 500;

afterEach(closeRequests);

describe('a crafted form', () => {
  test('with two boundaries has a limited number of parts and does not block', async ({
    service,
    newVisitor,
  }) => {
    const parts = field('content', 'x').repeat(100_000);
    const crafted = 'multipart/form-data; x="; boundary=zzz"; boundary=b';
    const measure = async () => {
      const { status, body, slowest } = await sendWhole(
        service.url,
        newVisitor,
        texts() + parts + END,
        crafted,
      );
      expect([status, body]).toMatchObject([422, { errors: { body: [expect.any(String)] } }]);
      return slowest;
    };
    expect(await leastMs(measure, BLOCKING_MS)).toBeLessThan(BLOCKING_MS);
    const fine = await sendWhole(service.url, newVisitor, texts() + END, crafted);
    expect(fine.status).toBe(201);
  });

  test.for<[string, () => string]>([
    ['many files', () => Array.from({ length: 50_000 }, () => `${fileHead()}x\r\n`).join('') + END],
    ['many headers', () => `${fileHead('X-A: b\r\n'.repeat(200_000))}x\r\n${END}`],
    ['an endless header', () => fileHead(`X-A: ${'b'.repeat(3 * MB)}`)],
    ['folded headers', () => `${fileHead(`X-A: b\r\n${' c\r\n'.repeat(300_000)}`)}x\r\n${END}`],
    ['half boundaries', () => `${texts()}${fileHead()}${'\r\n--'.repeat(500_000)}\r\n${END}`],
    ['a name of quotes', () => `${fileHead('', '\\"'.repeat(500_000))}x\r\n${END}`],
    ['a long name', () => `${texts()}${fileHead('', `${'. '.repeat(500_000)}a`)}x\r\n${END}`],
    ['a long preamble', () => `${'x'.repeat(3 * MB)}\r\n${texts()}${END}`],
    ['a long epilogue', () => `${texts()}${END}${'\r\n--b'.repeat(500_000)}`],
    ['no end', () => texts() + fileHead()],
    ['nothing', () => ''],
  ])('with %s is answered and does not block', async ([_what, body], { service, newVisitor }) => {
    const measure = async () => {
      const { status, slowest } = await sendWhole(service.url, newVisitor, body());
      expect([201, 413, 422]).toContain(status);
      return slowest;
    };
    expect(await leastMs(measure, BLOCKING_MS)).toBeLessThan(BLOCKING_MS);
  });

  test.for([
    ['a boundary of 10,000 characters', `multipart/form-data; boundary=${'b'.repeat(10_000)}`],
    ['no boundary', 'multipart/form-data'],
    ['another type', 'multipart/mixed; boundary=b'],
    ['parameters of thousands of quotes', `multipart/form-data; boundary=b; x="${'\\"'.repeat(7_000)}`],
  ] as const)('with %s is refused', async ([_what, type], { service, newVisitor }) => {
    expect((await sendWhole(service.url, newVisitor, texts() + END, type)).status).toBe(422);
  });

  test('with files before its texts is a normal message', async ({ service, newVisitor }) => {
    const { status, body } = await sendWhole(service.url, newVisitor, `${fileHead()}x\r\n${texts()}${END}`);
    expect(status).toBe(201);
    expect(viewOf({ status, body, headers: new Headers() }).messages[0]?.attachments).toHaveLength(1);
  });
});
