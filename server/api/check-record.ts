import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { fieldErrors } from '#server/contract/fields.ts';
import { sql } from '#server/core/database/sql.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';
import { isShownToPrograms } from '#server/inbox/conversations/list-by-change.ts';

type Which = { workspaceId: string; id: string };

export type RecordCheck = {
  /** The record in a sentence, for example `The contact`. */
  what: string;
  exists: (which: Which) => Promise<boolean>;
  /** Finds what else is wrong, by field, so that one response reports every invalid field (docs/rulings.md 2.11). */
  findProblems?: (which: Which, input: Record<string, unknown>) => Promise<FieldErrors>;
};

/** The conversation that a path names. */
export const CONVERSATION: RecordCheck = {
  what: 'The conversation',
  exists: (which) => isShownToPrograms(sql(), which),
};

/**
 * Validates the input of a procedure about the record that its path names, and refuses an unknown record before invalid
 * values (docs/rulings.md 2.1). A valid call sends no further statement, because the change looks the record up itself.
 * @param check.schema the procedure's input
 */
export async function checkRecord(
  workspaceId: string,
  rawInput: unknown,
  { schema, what, exists, findProblems }: RecordCheck & { schema: z.ZodType },
): Promise<void> {
  const input = objectOf(rawInput);
  const { error } = schema.safeParse(input);
  if (!error) return;
  const which = { workspaceId, id: typeof input.id === 'string' ? input.id : '' };
  if (!isUuid(which.id) || !(await exists(which))) throw notFound(what);
  throw invalid({ ...fieldErrors(error), ...(await findProblems?.(which, input)) });
}

/** Returns the fields of an input that are valid on their own. */
export function parseValidFields<Shape extends z.ZodRawShape>(
  shape: Shape,
  input: Record<string, unknown>,
): Partial<z.output<z.ZodObject<Shape>>> {
  const parsed = Object.entries(shape).map(
    ([name, field]) => [name, z.safeParse(field, input[name])] as const,
  );
  return Object.fromEntries(
    parsed.flatMap(([name, result]) => (result.success ? [[name, result.data]] : [])),
  ) as Partial<z.output<z.ZodObject<Shape>>>;
}

function objectOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? { ...input } : {};
}
