import { describe, expect, test } from 'vitest';
import { processorMs } from '#test/fixtures/processor-time.ts';
import { SLOW_TEXTS, UNTRUSTED_TEXT_PARSERS } from '#test/fixtures/untrusted-text.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();

/** Upper bound on the processor time of each text, in ms. */
const MOST_MS = 50;
/** Ascending, so that quadratic time fails early. */
const LENGTHS = [10_000, 100_000, 1_000_000];

describe.each(Object.entries(UNTRUSTED_TEXT_PARSERS))(
  'an attacker cannot block a server with %s',
  (_what, parse) => {
    test.each(Object.entries(SLOW_TEXTS))('of 1,000,000 characters: %s', (_shape, make) => {
      for (const length of LENGTHS) {
        const text = make(length);
        expect(processorMs(() => tryToParse(parse, text), MOST_MS)).toBeLessThanOrEqual(MOST_MS);
      }
    });
  },
);

/** Parses a text, which may fail. */
function tryToParse(parse: (text: string) => unknown, text: string): void {
  try {
    parse(text);
  } catch {
    // Refused.
  }
}
