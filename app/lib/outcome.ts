import { errorMessage } from '#app/lib/error-message.ts';

/**
 * What an action came to. `problem` is always a sentence; `fields` holds the sentences about single fields, under the
 * names that the fields have for the server.
 */
export type Outcome<Value = void> =
  | { done: true; value: Value }
  | { done: false; problem: string; fields: Record<string, string> };

/** What refused an action. */
export type Refused = Extract<Outcome, { done: false }>;

/** The outcome of a refusal or a fault, without the names that the API has for fields. */
export function refusedBy(error: unknown): Refused {
  const { fields } = refusalProblems(error);
  const plain = Object.entries(fields).map(([name, sentence]) => [name, withoutApiNames(sentence)]);
  const [first] = plain;
  return { done: false, problem: first?.[1] ?? plainSentence(error), fields: Object.fromEntries(plain) };
}

/** The outcome of an action whose call, or its response, was lost. */
export function notReached(): Refused {
  return {
    done: false,
    problem: 'The service could not be reached. Check your connection and try again.',
    fields: {},
  };
}

/** A refusal that a screen decides on itself: of the whole, or of single fields. Known by its fields (see error-message.ts). */
export class ScreenRefusal extends Error {
  readonly refusal = 'invalid';
  readonly errors: Record<string, string[]>;

  constructor(message: string, fields: string[] = []) {
    super(message);
    this.name = 'ScreenRefusal';
    this.errors = Object.fromEntries(fields.map((field) => [field, [message]]));
  }
}

/** The name that the API has for a field, as its sentences put it behind the field: `(to_email)`. */
const API_NAME = / \([a-z]+(?:_[a-z]+)+\)/g;

/** The sentence a procedure refused with, as people read it who know nothing of the API. */
export function plainSentence(error: unknown): string {
  return withoutApiNames(errorMessage(error));
}

/** A sentence of the API without the names that the API has for its fields. */
export function withoutApiNames(sentence: string): string {
  return sentence.replaceAll(API_NAME, '');
}

/** Why a form was refused: a sentence for each field that is at fault, or one about the whole. */
type Problems = { whole: string | null; fields: Record<string, string> };

/** What a procedure refused a form with; the sentences that name a field are under its name. */
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
