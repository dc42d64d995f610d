import { getSelection, NO_SELECTION, setSelection } from '#app/components/inbox/selection.ts';
import type { InboxPage } from '#server/screens/inbox/views.ts';

// Loaded with the bar of the selected conversations.

/** Maximum number of selected conversations. */
export const SELECTED_MAX = 1_000;

/** The conversation that was selected or deselected last, where a range starts. */
let rangeStart: string | undefined;

/** Selects these conversations only, as far as the maximum allows. None ends the selection. */
export function select(ids: Iterable<string>): void {
  const next = new Set([...ids].slice(0, SELECTED_MAX));
  if (next.size === 0) rangeStart = undefined;
  const { isWholeView } = getSelection();
  setSelection(next.size === 0 ? NO_SELECTION : { ids: next, isOn: true, isWholeView });
}

/** Selects the conversations that the list has loaded, or as many as the maximum allows. */
export function selectListed(ids: Iterable<string>): void {
  select(ids);
  setSelection({ ...getSelection(), isWholeView: false });
}

/** Selects a whole view, including conversations that the list has not loaded. */
export function selectWholeView(ids: Iterable<string>): void {
  select(ids);
  setSelection({ ...getSelection(), isWholeView: true });
}

/** Selects or deselects a conversation. */
export function toggle(id: string): void {
  const ids = new Set(getSelection().ids);
  if (!ids.delete(id)) ids.add(id);
  rangeStart = id;
  select(ids);
}

/** Also selects the conversations from the one that was toggled last to this one, or only this one. */
export function selectRange(id: string, listed: readonly string[]): void {
  const end = listed.indexOf(id);
  const start = rangeStart === undefined ? -1 : listed.indexOf(rangeStart);
  const [from, to] = start === -1 ? [end, end] : [Math.min(start, end), Math.max(start, end)];
  rangeStart = id;
  select([...getSelection().ids, ...listed.slice(from, to + 1)]);
}

/** Maximum number of requests for a whole view. In a search or a tag, the pages of a large inbox can be short. */
const PAGES_MAX = 10;

/** Returns the ids of a view, as far as the maximum and ten requests allow. */
export async function idsOfView(load: (cursor?: string) => Promise<InboxPage>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && ids.length < SELECTED_MAX; page += 1) {
    const { rows, nextCursor } = await load(cursor);
    ids.push(...rows.map(({ id }) => id));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return ids;
}

/** Deselects the conversations that have left the list, unless the whole view is selected. */
export function retainListed(listed: readonly string[]): void {
  const { ids, isWholeView } = getSelection();
  if (isWholeView) return;
  const retained = listed.filter((id) => ids.has(id));
  if (retained.length < ids.size) select(retained);
}
