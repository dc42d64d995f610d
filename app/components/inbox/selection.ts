import { useSyncExternalStore } from 'react';

export type Selection = {
  ids: ReadonlySet<string>;
  /** Checkboxes are shown, even without a selected conversation. */
  isOn: boolean;
  /** Conversations that the list has not loaded are selected too. */
  isWholeView: boolean;
};

export const NO_SELECTION: Selection = { ids: new Set(), isOn: false, isWholeView: false };
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
