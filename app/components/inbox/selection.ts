import { useSyncExternalStore } from 'react';

/** `isOn`: checkboxes are shown, even without a selected conversation. */
export type Selection = { ids: ReadonlySet<string>; isOn: boolean };

export const NO_SELECTION: Selection = { ids: new Set(), isOn: false };
let selection = NO_SELECTION;
const listeners = new Set<() => void>();

/** Returns the conversations that are selected in the list. */
export function useSelection(): Selection {
  return useSyncExternalStore(subscribe, getSelection, () => NO_SELECTION);
}

export function getSelection(): Selection {
  return selection;
}

export function setSelection(next: Selection): void {
  selection = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
