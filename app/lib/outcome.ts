import { plainSentence, withoutApiNames } from '#app/lib/plain-sentence.ts';
import { refusalProblems } from '#app/lib/refusal-problems.ts';

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
