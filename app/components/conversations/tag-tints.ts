import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { tagKey } from '#server/screens/inbox/tag-key.ts';

/** Colours of the workspace's tags by their keys, once they are loaded. */
export const tagTints = createStore<Record<string, number>>(() => ({}));

/** Returns the number of a tag's colour; undefined for none. */
export function useTagTint(tag: string): number | undefined {
  return useStore(tagTints, (tints) => tints[tagKey(tag)]);
}
