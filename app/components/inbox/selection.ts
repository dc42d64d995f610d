import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { InboxPage } from '#server/screens/inbox/views.ts';

export type Selection = {
  ids: ReadonlySet<string>;
  /** Checkboxes are shown, even without a selected conversation. */
  isOn: boolean;
  /** Conversations that the list has not loaded are selected too. */
  isWholeView: boolean;
};

type State = Selection & {
  /** The conversation that was selected or deselected last, where a range starts. */
  rangeStart: string | undefined;
};

/** Maximum number of selected conversations. */
export const SELECTED_MAX = 1_000;

const NOTHING: State = { ids: new Set(), isOn: false, isWholeView: false, rangeStart: undefined };

/** The conversations that are selected in the list. */
const store = createStore<State>(() => NOTHING);

export const getSelection: () => Selection = store.getState;

export function useSelection(): Selection {
  return useStore(store);
}

/** Shows the checkboxes, on screens without a pointer that hovers. */
export function startSelecting(): void {
  store.setState({ ...NOTHING, isOn: true });
}

/** Selects these conversations only, as far as the maximum allows. None ends the selection. */
export function select(ids: Iterable<string>): void {
  const next = new Set([...ids].slice(0, SELECTED_MAX));
  store.setState(next.size === 0 ? NOTHING : { ids: next, isOn: true });
}

/** Selects the conversations that the list has loaded, or as many as the maximum allows. */
export function selectListed(ids: Iterable<string>): void {
  select(ids);
  store.setState({ isWholeView: false });
}

/** Selects or deselects a conversation. */
export function toggle(id: string): void {
  const ids = new Set(getSelection().ids);
  if (!ids.delete(id)) ids.add(id);
  select(ids);
  if (ids.size > 0) store.setState({ rangeStart: id });
}

/** Also selects the conversations from the one that was toggled last to this one, or only this one. */
export function selectRange(id: string, listed: readonly string[]): void {
  const { ids, rangeStart } = store.getState();
  const end = listed.indexOf(id);
  const start = rangeStart === undefined ? -1 : listed.indexOf(rangeStart);
  const [from, to] = start === -1 ? [end, end] : [Math.min(start, end), Math.max(start, end)];
  select([...ids, ...listed.slice(from, to + 1)]);
  store.setState({ rangeStart: id });
}

/** Maximum number of requests for a whole view. In a search or a tag, the pages of a large inbox can be short. */
const PAGES_MAX = 10;

/**
 * Selects a whole view, including conversations that the list has not loaded, as far as the maximum and ten requests allow.
 * Returns false if the selection has changed in the meantime: another view may be shown.
 */
export async function selectWholeView(load: (cursor?: string) => Promise<InboxPage>): Promise<boolean> {
  const before = store.getState();
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && ids.length < SELECTED_MAX; page += 1) {
    const { rows, nextCursor } = await load(cursor);
    ids.push(...rows.map(({ id }) => id));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  if (store.getState() !== before) return false;
  select(ids);
  store.setState({ isWholeView: ids.length > 0 });
  return true;
}

/** Deselects the conversations that have left the list, unless the whole view is selected. */
export function retainListed(listed: readonly string[]): void {
  const { ids, isWholeView } = getSelection();
  if (isWholeView) return;
  const retained = listed.filter((id) => ids.has(id));
  if (retained.length < ids.size) select(retained);
}
