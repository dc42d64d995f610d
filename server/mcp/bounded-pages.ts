import { invalid } from '#server/core/errors.ts';

/** Maximum size of the records of a result, in characters of JSON. */
export const RESULT_MAX = 20_000;

/** Maximum number of records of a result. */
const RECORDS_MAX = 20;

/** Maximum number of pages that are read for a result while they are empty. Each reads a bounded part of the list. */
const PAGES_MAX = 5;

type Page<Item> = { data: Item[]; next_cursor: string | null };
type ReadPage = (page: { limit: string; cursor?: string }) => Promise<unknown>;

/**
 * Reads a page whose records together have at most `RESULT_MAX` characters: with fewer records until they fit, because only
 * the list itself has the cursor behind them. A single record is returned whatever its length. Reads on after an empty page of a
 * list that has more, because a model could take it for the end.
 */
export async function readBounded<Item, Marked>(
  read: ReadPage,
  {
    mark,
    limit = RECORDS_MAX,
    cursor,
    pages = PAGES_MAX,
  }: { mark: (item: Item) => Marked; limit?: number; cursor?: string | undefined; pages?: number },
): Promise<Page<Marked>> {
  const { data, next_cursor } = (await read(pageOf(limit, cursor))) as Page<Item>;
  if (data.length === 0 && next_cursor !== null && pages > 1) {
    return readBounded(read, { mark, limit, cursor: next_cursor, pages: pages - 1 });
  }
  const marked = data.map(mark);
  if (marked.length <= 1 || JSON.stringify(marked).length <= RESULT_MAX) return { data: marked, next_cursor };
  return readBounded(read, { mark, limit: Math.ceil(Math.min(limit, marked.length) / 2), cursor });
}

/**
 * Reads a page of texts. A text that is longer than `RESULT_MAX` arrives in parts: the cursor then has its id and the position in it. If
 * another record has become the first one since, as of a list that begins with the newest, it begins again with that one.
 * @param contentOf returns the text of a record
 * @param mark returns the record with a part of its text
 */
export async function readTexts<Item extends { id: string }, Marked>(
  read: ReadPage,
  {
    contentOf,
    mark,
    cursor,
  }: {
    contentOf: (item: Item) => string;
    mark: (item: Item, part: { content: string; isPartial: boolean }) => Marked;
    cursor?: string | undefined;
  },
): Promise<Page<Marked>> {
  const at = parseCursor(cursor);
  const whole = (item: Item) => mark(item, { content: contentOf(item), isPartial: false });
  const page = await readBounded(read, {
    mark: (item: Item) => item,
    limit: at.offset > 0 ? 1 : RECORDS_MAX,
    cursor: at.after,
  });
  const [first, ...others] = page.data;
  if (first === undefined) return { data: [], next_cursor: null };
  if (at.offset > 0 && first.id !== at.id) {
    return readTexts(read, { contentOf, mark, cursor: at.after });
  }
  const content = contentOf(first);
  if (at.offset === 0 && (others.length > 0 || content.length <= RESULT_MAX)) {
    return { data: page.data.map(whole), next_cursor: page.next_cursor };
  }
  const end = endOfPart(content, at.offset);
  const part = mark(first, { content: content.slice(at.offset, end), isPartial: true });
  const rest =
    end < content.length ? writeCursor({ after: at.after, id: first.id, offset: end }) : page.next_cursor;
  return { data: [part], next_cursor: rest };
}

/** Returns the end of a part of a text, which splits no surrogate pair. */
function endOfPart(content: string, offset: number): number {
  const end = offset + RESULT_MAX;
  const isSplit = /[\uD800-\uDBFF]/.test(content.charAt(end - 1)) && end < content.length;
  return Math.min(isSplit ? end - 1 : end, content.length);
}

type Position = { after: string | undefined; id?: string | undefined; offset: number };

/** A cursor of the list, and behind dots the id of a long text and the position in it. */
function writeCursor({ after = '', id = '', offset }: Position): string {
  return [after, id, offset].join('.');
}

function parseCursor(cursor: string | undefined): Position {
  const [after = '', id, offset, ...rest] = (cursor ?? '').split('.');
  if (rest.length > 0 || (id !== undefined && !/^[1-9]\d{0,8}$/.test(offset ?? ''))) {
    throw invalid({ cursor: ['The cursor is not valid. Send the next_cursor of a page.'] });
  }
  return { after: after === '' ? undefined : after, id, offset: Number(offset ?? 0) };
}

function pageOf(limit: number, cursor: string | undefined) {
  return { limit: String(limit), ...(cursor === undefined ? {} : { cursor }) };
}
