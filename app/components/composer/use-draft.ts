'use client';

import { useEffect, useState } from 'react';
import {
  type DraftOf,
  lastSignOut,
  readDraft,
  SIGN_OUT_KEY,
  saveDraft,
  withDraft,
} from '#app/components/composer/drafts.ts';

/** Debounce of storing the draft, in ms. */
const PAUSE_MS = 300;

export type Draft = {
  text: string;
  change: (text: string) => void;
  /** Clears the box. The stored draft stays until `submitted` is called, in case the text is restored. */
  take: () => { submitted: () => void };
  /** Restores a text above newer text, even after the page was left. */
  restore: (text: string) => void;
};

/** A draft that survives leaving the conversation and closing the browser. */
export function useDraft({ userId, conversationId, kind }: DraftOf): Draft {
  const [text, setText] = useState('');
  const [draft] = useState(() => startDraft({ userId, conversationId, kind }, setText));
  useEffect(() => {
    draft.load();
    // This tab may have stored a draft during the sign-out, which the other tab could not remove.
    const onStorage = ({ key }: StorageEvent) => {
      if (key === SIGN_OUT_KEY) draft.forget();
    };
    window.addEventListener('pagehide', draft.save);
    window.addEventListener('storage', onStorage);
    return () => {
      window.removeEventListener('pagehide', draft.save);
      window.removeEventListener('storage', onStorage);
      draft.save();
    };
  }, [draft]);
  return { text, change: draft.change, take: draft.take, restore: draft.restore };
}

function startDraft(of: DraftOf, show: (text: string) => void) {
  let latest = '';
  let inFlight = 0;
  const signedOutBefore = lastSignOut();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (text: string) => {
    latest = text;
    show(text);
  };
  const save = () => {
    clearTimeout(timer);
    // The author has signed out, perhaps in another tab.
    if (lastSignOut() !== signedOutBefore) return;
    // Retain an in-flight text in storage as long as nothing newer was typed.
    if (latest !== '' || inFlight === 0) saveDraft(of, latest);
  };
  const saveSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE_MS);
  };
  return {
    save,
    forget: () => {
      clearTimeout(timer);
      saveDraft(of, '');
    },
    load: () => {
      const stored = readDraft(of);
      if (stored !== '' && latest === '') set(stored);
    },
    change: (text: string) => {
      set(text);
      saveSoon();
    },
    take: () => {
      save();
      inFlight += 1;
      set('');
      return {
        submitted: () => {
          inFlight -= 1;
          save();
        },
      };
    },
    restore: (text: string) => {
      set(withDraft(text, latest));
      save();
    },
  };
}
