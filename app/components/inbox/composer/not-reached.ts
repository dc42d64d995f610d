import type { Refused } from '#app/components/inbox/composer/answer-of.ts';

/** What a call came to that never arrived, or whose answer did not. */
export function notReached(): Refused {
  return { problem: 'The service could not be reached. Check your connection and try again.', fields: {} };
}
