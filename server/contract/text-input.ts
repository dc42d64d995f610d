import { z } from 'zod';
import type { FieldErrors } from '#server/core/errors.ts';
import { isStorableText, truncateText } from '#server/core/text.ts';

/**
 * Returns the schema of a text that a screen sends. It bounds the size and refuses what cannot be stored. A test finds texts in
 * the screens' inputs that have another schema.
 * @param max in code points. Of a text that is a little longer, the function that changes the domain says so, beside its other fields
 * @param label in the message; by default the name of the field in words
 */
export function textInput(max: number, label?: string) {
  const sentence = (path: PropertyKey[] | undefined, rest: string) => `The ${label ?? wordsOf(path)} ${rest}`;
  return z
    .string()
    .max(2 * max, {
      error: ({ path }) => sentence(path, `must be at most ${max.toLocaleString('en')} characters.`),
    })
    .refine(isStorableText, {
      error: ({ path }) => sentence(path, 'contains a character that cannot be stored. Remove it.'),
    });
}

const KEY_MAX_LENGTH = 1_000;
const SEARCH_MAX_LENGTH = 1_000;

/** An id, a token or a position in a list. A text that can be none is passed on as an empty one, which is that of nothing. */
export const keyInput = z
  .string()
  .overwrite((text) => (text.length <= KEY_MAX_LENGTH && isStorableText(text) ? text : ''))
  .max(KEY_MAX_LENGTH)
  .refine(isStorableText);
/** A text in one line, such as a name. */
export const lineInput = textInput(200);
/** An email address or a domain. */
export const addressInput = textInput(320);
/** Schema of a search text. Cuts a long text instead of refusing it. */
export const searchInput = z
  .string()
  .overwrite((text) => truncateText(text, SEARCH_MAX_LENGTH))
  .max(2 * SEARCH_MAX_LENGTH)
  .refine(isStorableText);
/** Tags by name. */
export const tagsInput = z.array(textInput(100, 'tag')).max(100);

/** Texts by name, such as the values of a template. */
export function textsInput({ max, namesMax }: { max: number; namesMax: number }) {
  return z
    .record(textInput(100, 'name of a field'), textInput(max))
    .refine((texts) => Object.keys(texts).length <= namesMax, 'The form has too many fields.');
}

function fieldOf(path: PropertyKey[] = []): string {
  return String(path.findLast((key) => typeof key === 'string') ?? 'text');
}

/** `newPassword` or `to_name` in words. */
function wordsOf(path: PropertyKey[] | undefined): string {
  return fieldOf(path)
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('_', ' ');
}

/** Returns the messages about an input's texts by field; undefined if something else is invalid too, which no page sends. */
export function textProblems({ issues }: z.ZodError): FieldErrors | undefined {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    if (issue.code !== 'custom' && !(issue.code === 'too_big' && issue.origin === 'string')) return undefined;
    const field = fieldOf(issue.path);
    errors[field] = [...(errors[field] ?? []), issue.message];
  }
  return errors;
}
