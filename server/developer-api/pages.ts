import { z } from 'zod';
import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import { isStorableText } from '#server/core/text.ts';

/** Size of a page, by default and at most. */
const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;

/** Maximum length of a parameter of a list, in characters. The longest is a cursor with a company's name, of up to 4 bytes a character. */
const PARAMETER_MAX = 2_000;

type FieldTexts = {
  description: string;
  example: string | number;
  schema: {
    type: 'string' | 'integer';
    format?: string;
    minimum?: number;
    maximum?: number;
    default?: number;
  };
};

/**
 * An optional query parameter; an empty one counts as not sent.
 * @param read returns null for an invalid text
 * @param problem message about an invalid text
 */
export function queryField<Value, Missing>(
  { description, example, schema }: FieldTexts,
  { read, missing, problem }: { read: (text: string) => Value | null; missing: Missing; problem: string },
) {
  return z
    .unknown()
    .optional()
    .transform((sent, context): Value | Missing => {
      const text = typeof sent === 'string' ? sent.trim() : '';
      if (text === '') return missing;
      const value = text.length > PARAMETER_MAX ? null : read(text);
      if (value !== null) return value;
      context.addIssue({ code: 'custom', message: problem });
      return z.NEVER;
    })
    .meta({ description, examples: [example], override: { ...schema } });
}

/** The maximum size of a page. */
const limitQuery = queryField(
  {
    description: 'Maximum number of records in the page.',
    example: LIMIT_DEFAULT,
    schema: { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
  },
  {
    read: (text) => {
      const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
      return limit >= 1 && limit <= LIMIT_MAX ? limit : null;
    },
    missing: LIMIT_DEFAULT,
    problem: `The limit must be a whole number from 1 to ${LIMIT_MAX}.`,
  },
);

/**
 * A position in a list, as the caller got it.
 * @param read returns null for a text that is none
 */
function cursorQuery<Position>(example: string, read: (text: string) => Position | null) {
  return queryField(
    {
      description: 'The `next_cursor` of the page before, with the same other parameters.',
      example,
      schema: { type: 'string' },
    },
    { read, missing: undefined, problem: 'The cursor is not valid. Send the next_cursor of a page.' },
  );
}

/** The parameters of a list of records by their last change. */
export const pageQuery = { limit: limitQuery, cursor: cursorQuery(exampleCursor(), readCursor) };

/** The parameters of a list of names, whose cursor is the key of the last one. */
export const keyPageQuery = { limit: limitQuery, cursor: cursorQuery(encodeKey('shipping'), readKey) };

/** The parameters of a list of records by their names, which need not be unique. */
export const namedPageQuery = {
  limit: limitQuery,
  cursor: cursorQuery(encodeKey('01a0b2c4-7f22-7b3c-9d4e-5f60718293a4 analytical engines'), readNamed),
};

/** A timestamp from which on records are listed. */
export function updatedSinceQuery(records: string) {
  return queryField(
    {
      description: `Only ${records} that changed at this time or later. ISO 8601 with an offset or \`Z\`.`,
      example: '2026-11-21T06:00:00Z',
      schema: { type: 'string', format: 'date-time' },
    },
    {
      read: readTimestamp,
      missing: undefined,
      problem: 'The time (updated_since) must be ISO 8601 with an offset, such as 2026-11-21T06:00:00Z.',
    },
  );
}

const timestampSchema = z.iso.datetime({ offset: true });

function readTimestamp(text: string): Date | null {
  // Of a `+` in a query string, only a space is left.
  const sent = text.replace(' ', '+');
  return timestampSchema.safeParse(sent).success ? new Date(sent) : null;
}

function readCursor(text: string): LogCursor | null {
  const cursor = parseCursor(Buffer.from(text, 'base64url').toString());
  return cursor && encodeCursor(cursor) === text ? cursor : null;
}

/** Returns the cursor after a position. */
export function encodeCursor(cursor: LogCursor): string {
  return Buffer.from(writeCursor(cursor)).toString('base64url');
}

function readNamed(text: string): { key: string; id: string } | null {
  const [, id, key] = NAMED.exec(readKey(text) ?? '') ?? [];
  return id === undefined || key === undefined ? null : { id, key };
}

const NAMED = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (.*)$/s;

/** Returns a page of a list of names. */
export function keyPageOf<Item>(
  found: { item: Item; position: { key: string; id: string } }[],
  limit: number,
): { data: Item[]; next_cursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1)?.position;
  return {
    data: page.map(({ item }) => item),
    next_cursor: last && found.length > limit ? encodeKey(`${last.id} ${last.key}`) : null,
  };
}

function readKey(text: string): string | null {
  const key = Buffer.from(text, 'base64url').toString();
  return isStorableText(key) && encodeKey(key) === text ? key : null;
}

/** Returns the cursor after a key. */
export function encodeKey(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function exampleCursor(): string {
  return encodeCursor({ micros: '1795242689123000', id: '01a4d7f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f' });
}

/** The schema of a page of records. */
export function pageSchema<Item extends z.ZodType>(
  item: Item,
  { id, records }: { id: string; records: string },
) {
  const example = item.meta()?.examples?.[0];
  return z
    .object({
      data: z.array(item).meta({ description: `The ${records}.` }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'Returns the next page. `null` on the last page.' }),
    })
    .meta({
      id,
      description: `A page of ${records}.`,
      examples: [{ data: [example], next_cursor: exampleCursor() }],
    });
}

/**
 * Returns a page of a list.
 * @param found the records after the cursor, at least one more than `limit` if there are more
 */
export function pageOf<Item>(
  found: { item: Item; position: LogCursor }[],
  limit: number,
): { data: Item[]; next_cursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ item }) => item),
    next_cursor: last && found.length > limit ? encodeCursor(last.position) : null,
  };
}
