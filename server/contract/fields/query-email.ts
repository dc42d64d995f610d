import { queryText } from '#server/contract/fields/fields.ts';
import { parseEmail } from '#server/contract/fields/parse-email.ts';

/**
 * A parameter of the query with an e-mail address that may be left out: lowercase, undefined when not sent, and
 * null when the text is no address: a search then finds nothing (decisions: requests and errors, 9).
 */
export function queryEmail(rules: Parameters<typeof queryText>[0]) {
  return queryText(rules).transform((text) => (text === undefined ? undefined : (parseEmail(text) ?? null)));
}
