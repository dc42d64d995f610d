import { createStore } from 'zustand/vanilla';
import { viewOnScreen } from '#app/components/view/inbox-view.tsx';

type State = {
  /** The details are open on wide screens. */
  isUnfolded: boolean;
  /** The sheet with the details is open, on other screens. */
  isSheetOpen: boolean;
  /** The conversation whose details are asked for a field for a new tag. */
  tagging: string | null;
};

const CLOSED: State = { isUnfolded: true, isSheetOpen: false, tagging: null };

// Sidebar, list and details take 840 px. From 1400 px, the thread has 560 px beside them.
export const WIDE = '(min-width: 87.5rem)';

/** State of the details, which stays when another conversation is opened. */
export const details = createStore<State>(() => CLOSED);

/** Returns to the state in which the inbox is opened. */
export function resetDetails(): void {
  details.setState(CLOSED);
}

/** Opens the details of the open conversation with a field for a new tag. Returns whether a conversation is open. */
export function addTagToOpened(): boolean {
  const id = viewOnScreen()?.selected;
  if (id === undefined) return false;
  const isWide = window.matchMedia(WIDE).matches;
  details.setState({ tagging: id, ...(isWide ? { isUnfolded: true } : { isSheetOpen: true }) });
  return true;
}
