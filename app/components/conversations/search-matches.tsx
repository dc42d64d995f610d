import { Fragment } from 'react';
import { splitMatches } from '#server/screens/inbox/split-matches.ts';

/** A text with the words of a search highlighted. */
export default function SearchMatches({ text, search }: { text: string; search: string }) {
  return splitMatches(text, search).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
    part.isMatch ? <mark key={index}>{part.text}</mark> : <Fragment key={index}>{part.text}</Fragment>,
  );
}
