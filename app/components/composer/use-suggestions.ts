'use client';

import { type KeyboardEvent, useState } from 'react';
import type { Suggestion, Suggestions } from '#app/components/composer/suggestion.ts';
import { completeToken, type TypedToken } from '#app/components/composer/typed-token.ts';

type Given = {
  text: string;
  tokenAt: (text: string, caret: number) => TypedToken | null;
  suggest: (token: TypedToken) => Suggestions;
  /** Gets the text with a suggestion in it, and the caret's new place. */
  onComplete: (text: string, caret: number) => void;
};

/** What is offered for what is being typed in a text box, and the keys that choose from it. */
export function useSuggestions({ text, tokenAt, suggest, onComplete }: Given) {
  const [token, setToken] = useState<TypedToken | null>(null);
  const [active, setActive] = useState(0);
  /** Where a list begins that was closed with Escape: it stays closed until something else is typed. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const suggestions = token && token.start !== closedAt ? suggest(token) : null;
  const count = suggestions?.all.length ?? 0;

  const look = (box: HTMLTextAreaElement) => {
    const { value, selectionStart, selectionEnd } = box;
    const found = selectionStart === selectionEnd ? tokenAt(value, selectionStart) : null;
    if (found?.start !== token?.start) setClosedAt(null);
    if (found?.start !== token?.start || found?.query !== token?.query) setActive(0);
    setToken(found);
  };
  const close = () => setToken(null);
  const choose = (index: number) => {
    const chosen = suggestions?.all[index];
    if (!token || !chosen) return;
    close();
    take(chosen, token);
  };
  const take = ({ choice }: Suggestion, typed: TypedToken) => {
    if ('run' in choice) {
      choice.run();
      return;
    }
    const done = completeToken(text, typed, choice.completion);
    onComplete(done.text, done.caret);
  };
  /** Whether the key was for the list. */
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
        choose(active);
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
    look,
    close,
    choose,
    onKey,
  };
}
