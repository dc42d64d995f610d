import { errorMessage } from '#app/lib/error-message.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';

/** Result of an action. `problem` is a sentence. `fields` contains errors by the server's field names. */
export type Outcome<Value = void> =
  | { done: true; value: Value }
  | { done: false; problem: string; fields: Record<string, string> };

export type Refused = Extract<Outcome, { done: false }>;

/** Converts an error to an outcome, without API field names in its messages. */
export function refusedBy(error: unknown): Refused {
  return refusedAs(errorMessage(error), refusalProblems(error).fields);
}

/** Returns the outcome of a refusal with this message, and with sentences by field. */
export function refusedWith(message: string, errors: Record<string, string[]> = {}): Refused {
  return refusedAs(message, firstSentences(errors));
}

function refusedAs(message: string, fields: Record<string, string>): Refused {
  const plain = Object.entries(fields).map(([name, sentence]) => [name, withoutApiNames(sentence)]);
  const problem = plain[0]?.[1] ?? withoutApiNames(message);
  return { done: false, problem, fields: Object.fromEntries(plain) };
}

/**
 * Returns the outcome for a request that reached no procedure: it or its response was lost, the server refused it before reading
 * it, or a newer version of the service does not have the action.
 */
export function notReached(error?: unknown): Refused {
  const { name, message } = error instanceof Error ? error : new Error();
  const isRefusal = Object.values<string>(PAGE_REFUSALS).includes(message);
  const problem =
    name === 'UnrecognizedActionError'
      ? 'The service was updated. Reload the page and try again.'
      : isRefusal
        ? message
        : 'The service could not be reached. Check your connection and try again.';
  return { done: false, problem, fields: {} };
}

/** A refusal by a screen, of the whole form or of fields. Recognized by its fields (see error-message.ts). */
export class ScreenRefusal extends Error {
  readonly refusal = 'invalid';
  readonly errors: Record<string, string[]>;

  constructor(message: string, fields: string[] = []) {
    super(message);
    this.name = 'ScreenRefusal';
    this.errors = Object.fromEntries(fields.map((field) => [field, [message]]));
  }
}

/** Matches API field names in messages, such as ` (to_email)`. */
const API_NAME = / \([a-z]+(?:_[a-z]+)+\)/g;

/** Removes API field names from a message. */
export function withoutApiNames(sentence: string): string {
  return sentence.replaceAll(API_NAME, '');
}

/** Errors of a form: by field, or of the whole form. */
type Problems = { whole: string | null; fields: Record<string, string> };

/** Returns the errors of a refusal, by field if it names any. */
export function refusalProblems(error: unknown): Problems {
  const fields = fieldSentences(error);
  return { whole: Object.keys(fields).length > 0 ? null : errorMessage(error), fields };
}

function fieldSentences(error: unknown): Record<string, string> {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('refusal' in current && 'errors' in current) return firstSentences(current.errors);
  }
  return {};
}

function firstSentences(errors: unknown): Record<string, string> {
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, sentences]: [string, unknown]) => {
      const first: unknown = Array.isArray(sentences) ? sentences[0] : undefined;
      return typeof first === 'string' ? [[field, first]] : [];
    }),
  );
}
