import { z } from 'zod';
import { parseEmail } from '#server/contract/parse-email.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import { cleanName, foldLines, isStorableText } from '#server/core/text.ts';

/** Returns the number of Unicode code points, which the contract counts as characters. */
export function lengthOf(text: string): number {
  return [...text].length;
}

type TextRules = { label: string; max: number; description: string; example?: string };

/** Returns false for `null`, missing and blank values, which mean "not sent" (docs/rulings.md 1.4). */
function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

/** Returns a message about an invalid text, or undefined. */
export function textProblem(
  value: unknown,
  { label, max }: Pick<TextRules, 'label' | 'max'>,
): string | undefined {
  if (typeof value !== 'string') return `The ${label} must be text.`;
  if (!isStorableText(value)) return `The ${label} contains a character that cannot be stored. Remove it.`;
  // Avoids splitting a far too long text: a code point has at most two UTF-16 units.
  const isTooLong = value.length > 2 * max || lengthOf(value) > max;
  if (isTooLong) return `The ${label} must be at most ${max.toLocaleString('en')} characters.`;
  return undefined;
}

/** Adds a message to the field's errors. The field's return value is ignored afterwards. */
type Problem = (message: string) => never;

type Shape<Missing> = {
  /** Returns the value of a field that was not sent. */
  missing: (problem: Problem) => Missing;
  /** For content, whose white space is significant. */
  keepsSpace?: boolean;
  /** Returns a message about another problem of the text; undefined if valid. */
  check?: (text: string) => string | undefined;
  /** Converts a valid text; without `convert` the text is the value. */
  convert?: (text: string) => string;
  schema:
    | { type: 'string' | ['string', 'null']; format?: string; enum?: (string | null)[] }
    /** For a rule that an empty text, which counts as not sent, would break. */
    | { anyOf: { type: 'string' | 'null'; format?: string; maxLength?: number; const?: string }[] };
};

function textField<Missing>(rules: TextRules, shape: Shape<Missing>) {
  const read = (value: unknown, context: z.RefinementCtx): string | Missing => {
    const problem: Problem = (message) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (!isSent(value)) return shape.missing(problem);
    const text = typeof value === 'string' && !shape.keepsSpace ? foldLines(value) : value;
    const message = textProblem(text, rules) ?? shape.check?.(String(text));
    if (message) return problem(message);
    return shape.convert ? shape.convert(String(text)) : String(text);
  };
  // A transform of `z.unknown()` would never see a missing field, and one of an optional schema would not be listed as required.
  return z.preprocess(read, z.any() as z.ZodType<string | Missing>).meta({
    description: rules.description,
    ...(rules.example === undefined ? {} : { examples: [rules.example] }),
    override: { ...(Number.isFinite(rules.max) ? { maxLength: rules.max } : {}), ...shape.schema },
  });
}

const OPTIONAL = {
  missing: () => undefined,
  schema: { type: ['string', 'null'] },
} satisfies Shape<undefined>;

/** An optional short text: trimmed, one line; undefined when not sent. */
export function optionalText(rules: TextRules) {
  return textField(rules, OPTIONAL);
}

/** Returns a message about a name without a visible character, or undefined. */
export function nameProblem(name: string, { label }: Pick<TextRules, 'label'>): string | undefined {
  return cleanName(name) === '' ? `The ${label} must have a visible character.` : undefined;
}

/** An optional name: one line, without characters that hide or reorder text; undefined when not sent. */
export function optionalName(rules: TextRules) {
  return textField(rules, { ...OPTIONAL, check: (text) => nameProblem(text, rules), convert: cleanName });
}

/** An optional query parameter: trimmed; undefined when not sent. */
export function queryText(rules: TextRules) {
  return textField(rules, { ...OPTIONAL, schema: { type: 'string' } });
}

/** A required short text: trimmed, one line. */
export function requiredText(rules: TextRules) {
  return textField(rules, required(rules));
}

/** A required long text with its white space; white space only counts as empty. */
export function requiredContent(rules: TextRules) {
  return textField(rules, { ...required(rules), keepsSpace: true });
}

function email(rules: TextRules) {
  return {
    check: (text: string) =>
      parseEmail(text) === undefined
        ? `The ${rules.label} must be a valid email address, such as ada@example.com.`
        : undefined,
    convert: (text: string) => parseEmail(text) ?? text.toLowerCase(),
  };
}

/** A required email address: trimmed, lowercase. */
export function requiredEmail(rules: TextRules) {
  const schema = { type: 'string', format: 'email' } as const;
  return textField(rules, { ...required(rules), ...email(rules), schema });
}

/** An optional email address: trimmed, lowercase; undefined when not sent. */
export function optionalEmail(rules: TextRules) {
  const anyOf = [
    { type: 'string' as const, format: 'email', maxLength: rules.max },
    { type: 'string' as const, const: '' },
    { type: 'null' as const },
  ];
  return textField(rules, { ...OPTIONAL, ...email(rules), schema: { anyOf } });
}

type ChoiceRules<Value extends string> = {
  label: string;
  values: readonly Value[];
  description: string;
  /** True if the field is a query parameter, which cannot be `null`. */
  inQuery?: boolean;
};

/** One of several values; undefined when not sent. */
export function optionalChoice<Value extends string>({ values, inQuery, ...rest }: ChoiceRules<Value>) {
  const rules = { ...rest, max: Number.POSITIVE_INFINITY };
  const find = (text: string) => values.find((value) => value === text);
  return textField(rules, {
    ...OPTIONAL,
    check: (text) =>
      find(text) === undefined ? `The ${rest.label} must be one of ${values.join(', ')}.` : undefined,
    schema: inQuery
      ? { type: 'string', enum: [...values, ''] }
      : { type: ['string', 'null'], enum: [...values, '', null] },
  }).transform((text) => (text === undefined ? undefined : find(text)));
}

function required({ label }: TextRules): Shape<never> {
  return { missing: (problem) => problem(`The ${label} is required.`), schema: { type: 'string' } };
}

export function pathParameter(description: string) {
  return z.string().meta({ description });
}

/** Groups messages by the field of the body; errors of array items belong to the array's field. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'body');
    errors[field] = [...(errors[field] ?? []), issue.message];
  }
  return errors;
}

/**
 * Parses the input of a form with the rules of the API, so that limits and messages are the same.
 * @throws Refusal with a message for each invalid field
 */
export function parseInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const read = shape.safeParse(input);
  if (read.success) return read.data;
  throw invalid(fieldErrors(read.error));
}

/**
 * An optional query parameter with an email address: lowercase; undefined when not sent. Null when the text
 * is not an address: a search then finds nothing (docs/rulings.md 2.9).
 */
export function queryEmail(rules: Parameters<typeof queryText>[0]) {
  return queryText(rules).transform((text) => (text === undefined ? undefined : (parseEmail(text) ?? null)));
}
