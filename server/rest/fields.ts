import { z } from 'zod';
import { isStorableText } from '#server/rest/is-storable-text.ts';

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
function textProblem(value: unknown, { label, max }: TextRules): string | undefined {
  if (typeof value !== 'string') return `The ${label} must be text.`;
  if (!isStorableText(value)) return `The ${label} contains a character that cannot be stored.`;
  if (lengthOf(value) > max) return `The ${label} must be at most ${max.toLocaleString('en')} characters.`;
  return undefined;
}

function textField<Output>(
  rules: TextRules,
  schema: { required: boolean; format?: string },
  read: (value: unknown, problem: (message: string) => void) => Output,
) {
  return z
    .unknown()
    .transform((value, context) => {
      let failed = false;
      const output = read(value, (message) => {
        failed = true;
        context.addIssue({ code: 'custom', message });
      });
      return failed ? z.NEVER : output;
    })
    .meta({
      description: rules.description,
      ...(rules.example === undefined ? {} : { examples: [rules.example] }),
      override: {
        type: schema.required ? 'string' : ['string', 'null'],
        maxLength: rules.max,
        ...(schema.format ? { format: schema.format } : {}),
      },
    });
}

/** A short text that may be left out; trimmed, and undefined when not sent. */
export function optionalText(rules: TextRules) {
  return textField(rules, { required: false }, (value, problem): string | undefined => {
    if (!isSent(value)) return undefined;
    const trimmed = typeof value === 'string' ? value.trim() : value;
    const message = textProblem(trimmed, rules);
    if (message) problem(message);
    return String(trimmed);
  });
}

/** A short text that must be there; trimmed. */
export function requiredText(rules: TextRules) {
  return textField(rules, { required: true }, (value, problem): string => {
    if (!isSent(value)) {
      problem(`The ${rules.label} is required.`);
      return '';
    }
    const trimmed = typeof value === 'string' ? value.trim() : value;
    const message = textProblem(trimmed, rules);
    if (message) problem(message);
    return String(trimmed);
  });
}

/** A long text that must be there and keeps its white space; white space alone counts as empty. */
export function requiredContent(rules: TextRules) {
  return textField(rules, { required: true }, (value, problem): string => {
    const message = isSent(value) ? textProblem(value, rules) : `The ${rules.label} is required.`;
    if (message) problem(message);
    return String(value);
  });
}

/** What browsers take for an e-mail address (HTML, `input type=email`), on a domain with a dot. */
const ADDRESS = new RegExp(`^(?=[^@]+@[^@]+\\.[^@]+$)${z.regexes.html5Email.source.slice(1)}`);

/** An e-mail address that must be there; trimmed, lowercase. */
export function requiredEmail(rules: TextRules) {
  return textField(rules, { required: true, format: 'email' }, (value, problem): string => {
    if (!isSent(value)) {
      problem(`The ${rules.label} is required.`);
      return '';
    }
    const trimmed = typeof value === 'string' ? value.trim() : value;
    const message = textProblem(trimmed, rules);
    if (message) problem(message);
    // Judged before it is lowered: some letters that no address may hold have an ASCII letter in lowercase.
    else if (!ADDRESS.test(String(trimmed))) problem(`The ${rules.label} must be a valid e-mail address.`);
    return String(trimmed).toLowerCase();
  });
}

/** A parameter of the path. trpc-openapi hands it over still encoded, as `findRoutePath` wrote it. */
export function pathParameter(description: string) {
  return z
    .string()
    .transform((value) => decodeURIComponent(value))
    .meta({ description });
}
