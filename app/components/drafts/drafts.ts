'use client';

import { useStore } from 'zustand';
import { type Draft, EMPTY_DRAFT } from '#app/components/drafts/composer-state.ts';
import { createComposerStore, type DraftOf, draftKey } from '#app/components/drafts/composer-store.ts';

/** The drafts and the composer of this tab. */
export const composer = createComposerStore(browserStorage(), typeof window === 'undefined' ? null : window);

export function useDraft(of: DraftOf): Draft {
  return useStore(composer.store, ({ drafts }) => drafts[draftKey(of)] ?? EMPTY_DRAFT);
}

/** Returns whether the teammate left a draft in a conversation that only this device has. */
export function useHasDraft(conversationId: string): boolean {
  return useStore(composer.store, ({ userId, drafts }) => {
    if (userId === null) return false;
    const has = (kind: DraftOf['kind']) => {
      const key = draftKey({ userId, conversationId, kind });
      return drafts[key]?.stored.text.trim() && !/\d$/.test(composer.versionOf(key));
    };
    return Boolean(has('reply') || has('note'));
  });
}

function browserStorage(): Storage | null {
  try {
    return typeof window === 'undefined' ? null : window.localStorage;
  } catch {
    // The browser denies storage.
    return null;
  }
}
