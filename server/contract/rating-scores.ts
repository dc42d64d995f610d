export const SCORE_WORDS = { 1: 'Very bad', 2: 'Bad', 3: 'Okay', 4: 'Good', 5: 'Very good' } as const;

export type Score = keyof typeof SCORE_WORDS;

export const SCORES = [1, 2, 3, 4, 5] as const satisfies Score[];

/** Maximum characters in the comment of a rating. */
export const RATING_COMMENT_MAX_LENGTH = 2_000;

/** Time for which a mailed rating link is valid, in days. */
export const RATING_LINK_DAYS = 30;

/** State of the page of a mailed rating link. */
export type RatingPageView =
  | { kind: 'unknown' }
  // The link has expired.
  | { kind: 'ended'; workspaceName: string }
  | { kind: 'open'; workspaceName: string; subject: string | null }
  // The conversation was reopened and not solved again, or merged, so it cannot be rated now.
  | { kind: 'closed'; workspaceName: string };
