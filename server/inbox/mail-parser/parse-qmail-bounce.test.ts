import { describe, expect, test } from 'vitest';
import { parseQmailBounce } from '#server/inbox/mail-parser/parse-bounce.ts';
import { processorMs } from '#test/fixtures/processor-time.ts';

/** Upper bound on the processor time per report, in ms. */
const MAX_MS = 50;

const INTRO = `Hi. This is the qmail-send program at mx.acme.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.
`;

describe('a bounce from qmail', () => {
  test('contains the recipient and the reason', () => {
    const report = `${INTRO}\n<Ada@acme.test>:\n192.0.2.1 does not like recipient.\nRemote host said: 550 unknown (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <bounce@inbox.test>\n`;
    expect(parseQmailBounce(report)).toEqual({
      action: 'failed',
      recipient: 'ada@acme.test',
      status: '5.1.1',
      diagnostic: '192.0.2.1 does not like recipient. Remote host said: 550 unknown (#5.1.1)',
    });
  });

  test('with two recipients is parsed for the first', () => {
    const report = `${INTRO}\n<ada@acme.test>:\nNo mailbox.\n<bob@acme.test>:\nFull.\n`;
    expect(parseQmailBounce(report)).toMatchObject({ recipient: 'ada@acme.test', diagnostic: 'No mailbox.' });
  });

  test('may contain only the recipient', () => {
    expect(parseQmailBounce(`${INTRO}\n<ada@acme.test>:\n`)).toMatchObject({
      status: null,
      diagnostic: null,
    });
  });
});

test.each([
  ['a greeting from a person', 'Hi. This is Ada, and I wrote to <bob@acme.test>:\nno answer'],
  ['a quoted report', `See:\n${INTRO}\n<ada@acme.test>:\nNo mailbox.`],
  ['a report without a recipient', INTRO],
])('%s is not parsed as a bounce', (_who, text) => {
  expect(parseQmailBounce(text)).toBeNull();
});

test('an attacker’s endless report is parsed in bounded time', () => {
  const report = `${INTRO}\n<${'a'.repeat(1_000_000)}\n${'<@'.repeat(500_000)}`;
  expect(processorMs(() => parseQmailBounce(report), MAX_MS)).toBeLessThanOrEqual(MAX_MS);
});
