'use client';

import { useState } from 'react';
import { type DraftOf, draftKey } from '#app/components/drafts/composer-store.ts';
import { composer, useDraft } from '#app/components/drafts/drafts.ts';
import type { OtherAuthor } from '#server/screens/inbox/composer-views.ts';

export type Answered = {
  /** Address of the author who gets the reply instead of the contact, or null. */
  address: string | null;
  suggested: string | null;
  choose: (address: string | null) => void;
};

/**
 * Returns who gets the reply: after a merge the author of the newest message, else the contact, until the teammate chooses.
 * The recipient of a started reply does not change when someone else writes in the meantime.
 */
export function useAnswered(other: OtherAuthor | null, draftOf: DraftOf, isEmpty: boolean): Answered {
  const suggested = suggestedAnswer(other);
  const { answers } = useDraft(draftOf);
  const [started] = useAtStart(suggested, isEmpty);
  const isCurrent = answers !== null && (!isEmpty || answers.suggested === suggested);
  return {
    address: isCurrent ? answers.address : started,
    suggested,
    choose: (address) => composer.edit(draftKey(draftOf), () => ({ answers: { address, suggested } })),
  };
}

/** Returns a value as it was when the teammate began to write, and the function that replaces it. */
export function useAtStart<Value>(value: Value, isEmpty: boolean) {
  const [started, setStarted] = useState(value);
  if (isEmpty && started !== value) setStarted(value);
  return [started, setStarted] as const;
}

export function suggestedAnswer(other: OtherAuthor | null): string | null {
  return other?.isMerged ? other.address : null;
}
