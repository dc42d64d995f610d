import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { showInbox, viewOnScreen } from '#app/components/view/inbox-view.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

type State = {
  /** Position in the list on screen. Null without a list. */
  position: ListPosition | null;
  /** The last conversation opened by `openNeighbour`, and its direction. */
  opened: { id: string; by: 1 | -1 } | null;
};

const store = createStore<State>(() => ({ position: null, opened: null }));

/**
 * Stores the listed conversations and the open one, and focuses the row of a conversation that was left for the list. Null when the
 * list is removed from the page.
 */
export function trackList(list: Pick<ListPosition, 'ids' | 'selected'> | null): void {
  const { position } = store.getState();
  if (list && !list.selected && position?.selected) moveFocus(position.selected);
  store.setState({ position: list && followList(position, list) });
}

/**
 * Returns the id of the conversation that a teammate who moves through the list is likely to open next. Undefined if
 * the open conversation was opened in another way.
 */
export function likelyNext(): string | undefined {
  const { position, opened } = store.getState();
  if (!position || position.selected === undefined || opened?.id !== position.selected) return undefined;
  return neighbour(position, opened.by);
}

/** Returns the ids of the conversations that the list has loaded. Follows the list while it loads. */
export function useListedIds(): readonly string[] {
  return useStore(store, ({ position }) => position?.ids ?? NONE);
}

const NONE: readonly string[] = [];

/**
 * Opens the next (1) or previous (-1) conversation of the list, even of a list that a phone hides. Without an open one, starts from
 * the focused row. Does nothing at the end of the list. Returns whether there is a list.
 */
export function openNeighbour(by: 1 | -1): boolean {
  const { position } = store.getState();
  if (!position) return false;
  // The list follows the URL in its next render. A second key may be pressed before.
  const { ids } = position;
  const selected = viewOnScreen()?.selected ?? focusedRow();
  const id = neighbour(followList(position, { ids, selected }), by);
  if (id !== undefined) open(id, by);
  return true;
}

/**
 * Opens the conversation or list that the teammate prefers after solving this one. At the end of the list, goes back to
 * the list. Returns a function that returns to the solved conversation, or null if it was not open.
 */
export function leaveSolved(id: string, preference: AfterSolving): (() => void) | null {
  const view = viewOnScreen();
  const { position } = store.getState();
  if (view?.selected !== id || !position) return null;
  const by = preference === 'previous' ? -1 : 1;
  const next = preference === 'list' ? undefined : neighbour(position, by);
  if (next === undefined || next === id) showInbox(inboxPath({ ...view, selected: undefined }));
  else open(next, by);
  return () => {
    const now = viewOnScreen();
    if (now) showInbox(inboxPath({ ...now, selected: id }));
  };
}

function open(id: string, by: 1 | -1): void {
  const view = viewOnScreen();
  if (!view) return;
  store.setState({ opened: { id, by } });
  moveFocus(id);
  showInbox(inboxPath({ ...view, selected: id }));
}

/** Returns the id of the conversation whose row has the focus. */
function focusedRow(): string | undefined {
  return document.activeElement?.getAttribute('data-conversation') ?? undefined;
}

/**
 * Moves the focus to the row of a conversation, unless an element outside the list and the pane that is replaced has it. A click on
 * text focuses an element around both.
 */
function moveFocus(id: string): void {
  const row = document.querySelector<HTMLElement>(
    `[data-conversation-list] [data-conversation="${CSS.escape(id)}"]`,
  );
  const from = document.activeElement;
  if (from?.contains(row) || from?.closest('[data-conversation-list], [data-opened]'))
    row?.focus({ preventScroll: true });
}

/** Position of the open conversation in the list. */
export type ListPosition = {
  ids: readonly string[];
  selected: string | undefined;
  /** Index of the open conversation, or of the row below its place after it left the list. -1 if it has no place. */
  index: number;
};

/** Returns the position after the list or the open conversation has changed. */
export function followList(
  before: ListPosition | null,
  { ids, selected }: Pick<ListPosition, 'ids' | 'selected'>,
): ListPosition {
  const found = selected === undefined ? -1 : ids.indexOf(selected);
  const isLeft = found === -1 && before !== null && before.selected === selected;
  return { ids, selected, index: isLeft ? placeOf(before, ids) : found };
}

/** Returns the index of the first row that was listed below the open conversation, or of the place below the last one above. */
function placeOf({ ids: last, index }: ListPosition, ids: readonly string[]): number {
  if (index === -1) return -1;
  const at = new Map(ids.map((id, place) => [id, place]));
  const below = last.slice(index).find((id) => at.has(id));
  if (below !== undefined) return at.get(below) ?? -1;
  const above = last.slice(0, index).findLast((id) => at.has(id));
  return above === undefined ? -1 : (at.get(above) ?? -1) + 1;
}

/**
 * Returns the id of the next (1) or previous (-1) conversation, or undefined at the end of the list. Without an open
 * conversation in the list, returns the first one.
 */
export function neighbour({ ids, selected, index }: ListPosition, by: 1 | -1): string | undefined {
  if (selected === undefined || index === -1) return ids[0];
  const hasLeft = ids[index] !== selected;
  return ids[hasLeft && by === 1 ? index : index + by];
}
