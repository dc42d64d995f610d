import { queryText } from '#server/contract/fields.ts';
import { parseEmail } from '#server/contract/parse-email.ts';

/**
 * A parameter of the query with an email address that may be left out: lowercase, undefined when not sent, and
 * null when the text is no address: a search then finds nothing (decisions: requests and errors, 9).
 */
export function queryEmail(rules: Parameters<typeof queryText>[0]) {
  return queryText(rules).transform((text) => (text === undefined ? undefined : (parseEmail(text) ?? null)));
}
