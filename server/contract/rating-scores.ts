/** What each score is called. */
export const SCORE_WORDS = { 1: 'Very bad', 2: 'Bad', 3: 'Okay', 4: 'Good', 5: 'Very good' } as const;

export type Score = keyof typeof SCORE_WORDS;

/** Every score, the best one last. */
export const SCORES = [1, 2, 3, 4, 5] as const satisfies Score[];

/** How long the words beside a score may be, in characters. */
export const RATING_COMMENT_MAX_LENGTH = 2_000;

/** For how long a mailed link works, in days. */
export const RATING_LINK_DAYS = 30;

/** What a mailed link leads to. */
export type RatingPageView =
  | { kind: 'unknown' }
  /** It was mailed too long ago. */
  | { kind: 'ended'; workspaceName: string }
  | { kind: 'open'; workspaceName: string; subject: string | null }
  /** It was reopened and never solved, or merged away: nothing can be rated now. */
  | { kind: 'closed'; workspaceName: string };
