'use client';

import { useEffect, useState } from 'react';
import {
  type DraftOf,
  keepDraft,
  lastSignOut,
  readDraft,
  SIGN_OUT_KEY,
  withDraft,
} from '#app/components/composer/drafts.ts';

/** Writing it down waits for a pause in typing of so many milliseconds. */
const PAUSE_MS = 300;

export type Draft = {
  text: string;
  change: (text: string) => void;
  /** Empties the box. What stood in it is forgotten when `submitted` says so: until then it may come back. */
  take: () => { submitted: () => void };
  /** Puts a text back, above what was typed since, also after the page is left. */
  restore: (text: string) => void;
};

/** A text being written that is still there after leaving the conversation or closing the browser. */
export function useDraft({ userId, conversationId, kind }: DraftOf): Draft {
  const [text, setText] = useState('');
  const [draft] = useState(() => startDraft({ userId, conversationId, kind }, setText));
  useEffect(() => {
    draft.load();
    // What this tab wrote down in the moment of the sign-out, the tab that signed out did not see and remove.
    const onStorage = ({ key }: StorageEvent) => {
      if (key === SIGN_OUT_KEY) draft.forget();
    };
    window.addEventListener('pagehide', draft.keep);
    window.addEventListener('storage', onStorage);
    return () => {
      window.removeEventListener('pagehide', draft.keep);
      window.removeEventListener('storage', onStorage);
      draft.keep();
    };
  }, [draft]);
  return { text, change: draft.change, take: draft.take, restore: draft.restore };
}

function startDraft(of: DraftOf, show: (text: string) => void) {
  let latest = '';
  let onTheirWay = 0;
  const signedOutBefore = lastSignOut();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (text: string) => {
    latest = text;
    show(text);
  };
  const keep = () => {
    clearTimeout(timer);
    // Its author has signed out meanwhile, perhaps in another tab.
    if (lastSignOut() !== signedOutBefore) return;
    // What is on its way is kept as long as nothing else was typed.
    if (latest !== '' || onTheirWay === 0) keepDraft(of, latest);
  };
  const keepSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE_MS);
  };
  return {
    keep,
    forget: () => {
      clearTimeout(timer);
      keepDraft(of, '');
    },
    load: () => {
      const kept = readDraft(of);
      if (kept !== '' && latest === '') set(kept);
    },
    change: (text: string) => {
      set(text);
      keepSoon();
    },
    take: () => {
      keep();
      onTheirWay += 1;
      set('');
      return {
        submitted: () => {
          onTheirWay -= 1;
          keep();
        },
      };
    },
    restore: (text: string) => {
      set(withDraft(text, latest));
      keep();
    },
  };
}
