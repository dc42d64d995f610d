import { SCORE_WORDS, SCORES, type Score } from '#server/contract/rating-scores.ts';

export type RatingMailFacts = {
  contactName: string | null;
  /** Who asks: what the mailbox is called. */
  from: string;
  subject: string | null;
  urlOf: (score: Score) => string;
  /** Where the contact says that they want no more of these. */
  unsubscribeUrl: string;
};

/** Writes the mail that asks for a rating, the best score first. */
export function ratingMail({ contactName, from, subject, urlOf, unsubscribeUrl }: RatingMailFacts): {
  subject: string;
  text: string;
} {
  const about =
    subject === null ? 'Your conversation with us' : `Your conversation with us about “${subject}”`;
  const choices = SCORES.toReversed().map((score) => `${score} – ${SCORE_WORDS[score]}\n${urlOf(score)}`);
  const paragraphs = [
    contactName === null ? 'Hello,' : `Hello ${contactName},`,
    `${about} has been solved. How did we do? Choose a rating; you can add a comment before you send it.`,
    ...choices,
    'Is something still not right? Just reply to this email.',
    from,
    `No more emails like this one:\n${unsubscribeUrl}`,
  ];
  return {
    subject: subject === null ? 'How did we do?' : `How did we do with “${subject}”?`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}

/** What asks for a rating in a chat, where a message is short. `from`: what the workspace is called. */
export function ratingMessage(from: string, url: string): string {
  return `Your conversation with ${from} has been solved. How did we do? Rate it here: ${url}`;
}
