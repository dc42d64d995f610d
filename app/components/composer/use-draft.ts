'use client';

import { useEffect, useState } from 'react';
import {
  type DraftOf,
  draftKey,
  lastSignOut,
  readDraft,
  SIGN_OUT_KEY,
  saveDraft,
  withDraft,
} from '#app/components/composer/drafts.ts';

/** Debounce of storing the draft, in ms. */
const PAUSE_MS = 300;

/** The draft of each composer on screen, by its storage key. */
const onScreen = new Map<string, ReturnType<typeof startDraft>>();

export type Draft = {
  text: string;
  change: (text: string) => void;
  /** Clears the box. The stored draft stays until `submitted` is called, in case the text is restored. */
  take: () => { submitted: () => void };
};

/** A draft that survives leaving the conversation and closing the browser. Tabs that show the same draft follow each other. */
export function useDraft({ userId, conversationId, kind }: DraftOf): Draft {
  const [text, setText] = useState('');
  const [draft] = useState(() => startDraft({ userId, conversationId, kind }, setText));
  useEffect(() => {
    onScreen.set(draft.key, draft);
    draft.load();
    const onStorage = ({ key, newValue }: StorageEvent) => {
      // This tab may have stored a draft during the sign-out, which the other tab could not remove.
      if (key === SIGN_OUT_KEY) draft.forget();
      if (key === draft.key) draft.follow(newValue ?? '');
    };
    window.addEventListener('pagehide', draft.save);
    window.addEventListener('storage', onStorage);
    return () => {
      window.removeEventListener('pagehide', draft.save);
      window.removeEventListener('storage', onStorage);
      draft.save();
      if (onScreen.get(draft.key) === draft) onScreen.delete(draft.key);
    };
  }, [draft]);
  return { text, change: draft.change, take: draft.take };
}

/** Restores a text above newer text of a draft, in the composer that shows its conversation now or in storage. */
export function restoreText(of: DraftOf, text: string): void {
  const shown = onScreen.get(draftKey(of));
  if (shown) shown.add(text);
  else saveDraft(of, withDraft(text, readDraft(of)));
}

function startDraft(of: DraftOf, show: (text: string) => void) {
  const key = draftKey(of);
  let latest = '';
  /** The text in storage, as far as this composer knows. */
  let stored = '';
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
    // A composer that changed nothing must not overwrite what another tab has stored.
    if (latest === stored) return;
    // Retain an in-flight text in storage as long as nothing newer was typed.
    if (latest === '' && inFlight > 0) return;
    stored = latest;
    saveDraft(of, latest);
    const shown = onScreen.get(key);
    if (shown !== draft) shown?.follow(latest);
  };
  const saveSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE_MS);
  };
  const add = (text: string) => {
    set(withDraft(text, latest));
    save();
  };
  const draft = {
    key,
    save,
    add,
    forget: () => {
      clearTimeout(timer);
      saveDraft(of, '');
    },
    load: () => {
      stored = readDraft(of);
      if (stored !== '' && latest === '') set(stored);
    },
    /** Shows what another composer has stored, unless this one has unsaved text. */
    follow: (text: string) => {
      const isUnsaved = latest !== stored;
      stored = text;
      if (!isUnsaved) set(text);
    },
    change: (text: string) => {
      set(text);
      saveSoon();
    },
    take: () => {
      save();
      const taken = latest;
      inFlight += 1;
      set('');
      return {
        submitted: () => {
          inFlight -= 1;
          // Another composer may have stored newer text in the meantime.
          if (readDraft(of) === taken) save();
          else if (latest === '') draft.load();
        },
      };
    },
  };
  return draft;
}
