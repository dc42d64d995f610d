import { errorMessage } from '#app/lib/error-message.ts';

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
