'use client';

import { type KeyboardEvent, useState } from 'react';
import type { OfferedReplies, Suggestion, Suggestions } from '#app/components/composer/create-suggest.ts';
import type { TypedToken } from '#app/components/composer/typed-token.ts';
import { useOfferedReplies } from '#app/components/composer/use-offered-replies.ts';

/** Returns the element id of an option. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** Input that chose a suggestion. */
export type ChosenBy = 'key' | 'pointer';

type Options = {
  tokenAt: (text: string, caret: number) => TypedToken | null;
  suggest: (token: TypedToken, offered: OfferedReplies) => Suggestions;
  /** The conversation whose saved replies are offered after `/`, or null. */
  offersFor: string | null;
  /** Replaces the token with the completion and `after`, by default a space. */
  onComplete: (token: TypedToken, completion: string, after?: string) => void;
};

/** Returns the suggestions for the text typed into a text box, and its key handler. */
export function useSuggestions({ tokenAt, suggest, offersFor, onComplete }: Options) {
  const [token, setToken] = useState<TypedToken | null>(null);
  const [active, setActive] = useState(0);
  /** Start of the token whose list was closed with Escape. The list reopens with another token. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const shownToken = token && token.start !== closedAt ? token : null;
  const offered = useOfferedReplies(offersFor, shownToken?.trigger === '/' ? shownToken.query : null);
  const suggestions = shownToken ? suggest(shownToken, offered) : null;
  const count = suggestions?.all.length ?? 0;

  /** `caret`: null while text is selected. */
  const update = (text: string, caret: number | null) => {
    const found = caret === null ? null : tokenAt(text, caret);
    if (found?.start !== token?.start) setClosedAt(null);
    if (found?.start !== token?.start || found?.query !== token?.query) setActive(0);
    setToken(found);
  };
  const close = () => setToken(null);
  const choose = (index: number, by: ChosenBy) => {
    const chosen = suggestions?.all[index];
    if (!token || !chosen) return;
    // The first saved reply of the previous query is about to be replaced. A clicked one was read and meant.
    if (by === 'key' && chosen.preview && offered.isStale) return;
    close();
    accept(chosen, token);
  };
  const accept = ({ choice }: Suggestion, typed: TypedToken) => {
    if ('run' in choice) {
      choice.run();
      return;
    }
    onComplete(typed, choice.completion, choice.after);
    choice.onInserted?.();
  };
  /** Returns whether the list handled the key. */
  const onKey = (press: KeyboardEvent): boolean => {
    if (count === 0) return false;
    switch (press.key) {
      case 'ArrowDown':
        setActive((active + 1) % count);
        return true;
      case 'ArrowUp':
        setActive((active + count - 1) % count);
        return true;
      case 'Enter':
      case 'Tab':
        if (press.shiftKey) return false;
        choose(active, 'key');
        return true;
      case 'Escape':
        setClosedAt(token?.start ?? null);
        return true;
      default:
        return false;
    }
  };
  return {
    suggestions: count > 0 ? suggestions : null,
    active: Math.min(active, count - 1),
    update,
    close,
    choose,
    point: setActive,
    onKey,
  };
}
