import { z } from 'zod';
import { parseEmail } from '#server/contract/parse-email.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import { cleanName, foldLines, isStorableText } from '#server/core/text.ts';

/** How many characters a text has, as the contract counts: Unicode code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

type TextRules = { label: string; max: number; description: string; example?: string };

/** `null`, missing and blank mean "not sent" (decisions: values, 4). */
function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

/** The sentence that says what is wrong with a text, or undefined. */
export function textProblem(
  value: unknown,
  { label, max }: Pick<TextRules, 'label' | 'max'>,
): string | undefined {
  if (typeof value !== 'string') return `The ${label} must be text.`;
  if (!isStorableText(value)) return `The ${label} contains a character that cannot be stored. Remove it.`;
  // A code point has two units at most: what is far too long is not taken apart.
  const isTooLong = value.length > 2 * max || lengthOf(value) > max;
  if (isTooLong) return `The ${label} must be at most ${max.toLocaleString('en')} characters.`;
  return undefined;
}

/** Notes a sentence as the field's error; what the field then returns is never looked at. */
type Problem = (message: string) => never;

type Shape<Missing> = {
  /** What a field that was not sent becomes. */
  missing: (problem: Problem) => Missing;
  /** For content, whose white space is its own. */
  keepsSpace?: boolean;
  /** What else is wrong with the text, as a sentence; undefined when nothing is. */
  check?: (text: string) => string | undefined;
  /** The value of a text with which nothing is wrong; the text itself where there is no `convert`. */
  convert?: (text: string) => string;
  schema:
    | { type: 'string' | ['string', 'null']; format?: string; enum?: (string | null)[] }
    /** For a rule that an empty text, which counts as not sent, would break. */
    | { anyOf: { type: 'string' | 'null'; format?: string; maxLength?: number; const?: string }[] };
};

function textField<Missing>(rules: TextRules, shape: Shape<Missing>) {
  return z
    .unknown()
    .transform((value, context): string | Missing => {
      const problem: Problem = (message) => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      if (!isSent(value)) return shape.missing(problem);
      const text = typeof value === 'string' && !shape.keepsSpace ? foldLines(value) : value;
      const message = textProblem(text, rules) ?? shape.check?.(String(text));
      if (message) return problem(message);
      return shape.convert ? shape.convert(String(text)) : String(text);
    })
    .meta({
      description: rules.description,
      ...(rules.example === undefined ? {} : { examples: [rules.example] }),
      override: { ...(Number.isFinite(rules.max) ? { maxLength: rules.max } : {}), ...shape.schema },
    });
}

const OPTIONAL = {
  missing: () => undefined,
  schema: { type: ['string', 'null'] },
} satisfies Shape<undefined>;

/** A short text that may be left out; trimmed, in one line, and undefined when not sent. */
export function optionalText(rules: TextRules) {
  return textField(rules, OPTIONAL);
}

/** Returns the sentence about a name without a visible character, or undefined. */
export function nameProblem(name: string, { label }: Pick<TextRules, 'label'>): string | undefined {
  return cleanName(name) === '' ? `The ${label} must have a visible character.` : undefined;
}

/** An optional name of a person: one line, without characters that hide or reorder text; undefined when not sent. */
export function optionalName(rules: TextRules) {
  return textField(rules, { ...OPTIONAL, check: (text) => nameProblem(text, rules), convert: cleanName });
}

/** A parameter of the query that may be left out; trimmed, and undefined when not sent. */
export function queryText(rules: TextRules) {
  return textField(rules, { ...OPTIONAL, schema: { type: 'string' } });
}

/** A short text that must be there; trimmed, in one line. */
export function requiredText(rules: TextRules) {
  return textField(rules, required(rules));
}

/** A long text that must be there and keeps its white space; white space alone counts as empty. */
export function requiredContent(rules: TextRules) {
  return textField(rules, { ...required(rules), keepsSpace: true });
}

function email(rules: TextRules) {
  return {
    check: (text: string) =>
      parseEmail(text) === undefined
        ? `The ${rules.label} must be a valid email address, such as ada@example.com.`
        : undefined,
    convert: (text: string) => text.toLowerCase(),
  };
}

/** An email address that must be there; trimmed, lowercase. */
export function requiredEmail(rules: TextRules) {
  const schema = { type: 'string', format: 'email' } as const;
  return textField(rules, { ...required(rules), ...email(rules), schema });
}

/** An email address that may be left out; trimmed, lowercase, and undefined when not sent. */
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
  /** Whether it is in the query, where `null` cannot be said. */
  inQuery?: boolean;
};

/** One of several values, or undefined when not sent. */
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

/** A parameter of the path. */
export function pathParameter(description: string) {
  return z.string().meta({ description });
}

/** Issues by the field of the body they are in; those of array items under the field itself. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'body');
    errors[field] = [...(errors[field] ?? []), issue.message];
  }
  return errors;
}

/**
 * Reads what a form sent by the very rules of the API, so that limits and sentences are the same.
 * @throws Refusal with a sentence under each field that is wrong
 */
export function parseInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const read = shape.safeParse(input);
  if (read.success) return read.data;
  throw invalid(fieldErrors(read.error));
}

/**
 * A parameter of the query with an email address that may be left out: lowercase, undefined when not sent, and
 * null when the text is no address: a search then finds nothing (decisions: requests and errors, 9).
 */
export function queryEmail(rules: Parameters<typeof queryText>[0]) {
  return queryText(rules).transform((text) => (text === undefined ? undefined : (parseEmail(text) ?? null)));
}
