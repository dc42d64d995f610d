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

/** Shows the checkboxes, on screens without a pointer that hovers. The next tap selects, also before the bar is loaded. */
export function startSelecting(): void {
  setSelection({ ...NO_SELECTION, isOn: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
