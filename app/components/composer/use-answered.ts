'use client';

import { useState } from 'react';
import type { OtherAuthor } from '#server/screens/inbox/composer-views.ts';

export type Answered = {
  /** Address of the author who gets the reply instead of the contact, or null. */
  address: string | null;
  choose: (address: string | null) => void;
};

/**
 * Returns who gets the reply: after a merge the author of the newest message, else the contact, until the teammate chooses.
 * The recipient of a started reply does not change when someone else writes in the meantime.
 */
export function useAnswered(other: OtherAuthor | null, isEmpty: boolean): Answered {
  const suggested = other?.isMerged ? other.address : null;
  const [choice, setChoice] = useState({ address: suggested, suggested });
  if (isEmpty && choice.suggested !== suggested) setChoice({ address: suggested, suggested });
  return { address: choice.address, choose: (address) => setChoice({ address, suggested }) };
}
