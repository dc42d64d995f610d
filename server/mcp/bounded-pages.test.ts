import { describe, expect, test } from 'vitest';
import { RESULT_MAX, readBounded, readTexts } from '#server/mcp/bounded-pages.ts';

type Item = { id: string; text: string };

/** Returns the list of texts as the developer API reads it. Cursors are positions. */
function listOf(texts: string[]) {
  const items: Item[] = texts.map((text, n) => ({ id: `id-${n}`, text }));
  const read = async ({ limit, cursor = '0' }: { limit: string; cursor?: string }) => {
    const end = Number(cursor) + Number(limit);
    return { data: items.slice(Number(cursor), end), next_cursor: end < items.length ? String(end) : null };
  };
  const readPage = (cursor?: string) =>
    readTexts(read, { contentOf: ({ text }: Item) => text, mark: (_item, { content }) => content, cursor });
  return { items, readPage };
}

/** Reads all pages of texts, as a client does. Returns the texts of each page. */
async function readAll(texts: string[]): Promise<string[][]> {
  const { readPage } = listOf(texts);
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page: { data: string[]; next_cursor: string | null } = await readPage(cursor);
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

  test('begin again with a text that became the first one while a long one was read in parts', async () => {
    const { items, readPage } = listOf(['b'.repeat(30_000), 'c']);
    const { next_cursor: cursor } = await readPage();
    items.unshift({ id: 'newer', text: 'a' });
    const page = await readPage(cursor ?? undefined);
    expect(page.data).toEqual(['a']);
    const rest = await readPage(page.next_cursor ?? undefined);
    expect(rest.data.join('')).toBe('b'.repeat(RESULT_MAX));
  });

  test.each(['a.b', '1.0', '1.-5', '1.2.3.4', '.', '1.id.0', '1.id.'])(
    'refuse the cursor %j',
    async (cursor) => {
      await expect(listOf(['x']).readPage(cursor)).rejects.toThrow('The cursor is not valid.');
    },
  );
});

describe('a list of which a page can be empty although more follow', () => {
  const readAfter = (empty: number) => {
    let calls = 0;
    const read = async () => {
      calls += 1;
      return calls > empty ? { data: ['found'], next_cursor: null } : { data: [], next_cursor: `${calls}` };
    };
    return readBounded(read, { mark: (item: string) => item });
  };

  test('is read on until a record is found, so that a model does not take an empty page for none', async () => {
    expect(await readAfter(3)).toEqual({ data: ['found'], next_cursor: null });
  });

  test('is left after five pages, with the cursor of the next one', async () => {
    expect(await readAfter(9)).toEqual({ data: [], next_cursor: '5' });
  });
});
