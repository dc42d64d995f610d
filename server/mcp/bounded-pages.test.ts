import { describe, expect, test } from 'vitest';
import { RESULT_MAX, readTexts } from '#server/mcp/bounded-pages.ts';

/** Reads all pages of texts, as a client does. Returns the texts of each page. */
async function readAll(texts: string[]): Promise<string[][]> {
  const read = async ({ limit, cursor = '0' }: { limit: string; cursor?: string }) => {
    const end = Number(cursor) + Number(limit);
    return { data: texts.slice(Number(cursor), end), next_cursor: end < texts.length ? String(end) : null };
  };
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page: { data: string[]; next_cursor: string | null } = await readTexts(read, {
      contentOf: (text: string) => text,
      mark: (_text, { content }) => content,
      cursor,
    });
    pages.push(page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

describe('texts', () => {
  test.each<[string, string[]]>([
    ['no texts', []],
    ['an empty text', ['']],
    ['one that fits exactly', ['x'.repeat(RESULT_MAX)]],
    ['one that is a character too long', ['x'.repeat(RESULT_MAX + 1)]],
    ['short ones', Array.from({ length: 45 }, (_, n) => `text ${n}`)],
    ['some that fit only in part', Array.from({ length: 25 }, (_, n) => `${n} ${'y'.repeat(3_000)}`)],
    [
      'long ones among short ones',
      ['a', 'b'.repeat(50_000), 'c', 'd'.repeat(20_001), 'e'.repeat(19_000), 'f'],
    ],
    ['surrogate pairs', [`x${'😀'.repeat(25_000)}`, '😀'.repeat(25_000)]],
  ])('arrive whole, in order, on pages of at most 20,000 characters: %s', async (_name, texts) => {
    const pages = await readAll(texts);
    expect(pages.flat().join('')).toBe(texts.join(''));
    for (const page of pages) {
      expect(page.join('').length).toBeLessThanOrEqual(RESULT_MAX);
      expect(page.every((text) => text.isWellFormed())).toBe(true);
    }
  });

  test.each(['a.b', '1.0', '1.-5', '1.2.3', '.'])('refuse the cursor %j', async (cursor) => {
    const read = async () => ({ data: ['x'], next_cursor: null });
    const reading = readTexts(read, { contentOf: (text: string) => text, mark: (text) => text, cursor });
    await expect(reading).rejects.toThrow('The cursor is not valid.');
  });
});
