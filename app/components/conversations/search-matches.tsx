import { Fragment } from 'react';
import { splitMatches } from '#server/screens/inbox/split-matches.ts';

/** `stemmed`: words that the search finds by their stems. */
type Props = { text: string; search: string; stemmed?: readonly string[] | undefined };

/** A text with the words of a search highlighted. */
export default function SearchMatches({ text, search, stemmed }: Props) {
  return splitMatches(text, search, stemmed).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
    part.isMatch ? <mark key={index}>{part.text}</mark> : <Fragment key={index}>{part.text}</Fragment>,
  );
}
