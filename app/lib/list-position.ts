/** Position of the open conversation in the list. */
export type ListPosition = {
  ids: readonly string[];
  selected: string | undefined;
  /** Index of the open conversation, or its last index after it left the list. -1 if it was never listed. */
  index: number;
};

/** Returns the position after the list or the open conversation has changed. */
export function followList(
  before: ListPosition | null,
  { ids, selected }: Pick<ListPosition, 'ids' | 'selected'>,
): ListPosition {
  const found = selected === undefined ? -1 : ids.indexOf(selected);
  const last = before !== null && before.selected === selected ? before.index : -1;
  return { ids, selected, index: found === -1 ? last : found };
}

/**
 * Returns the id of the next (1) or previous (-1) conversation, or undefined at the end of the list. Without an open
 * conversation in the list, returns the first one.
 */
export function neighbour({ ids, selected, index }: ListPosition, by: 1 | -1): string | undefined {
  if (selected === undefined || index === -1) return ids[0];
  // The conversation has left the list, so the next one is at its former index.
  const hasLeft = ids[index] !== selected;
  return ids[hasLeft && by === 1 ? index : index + by];
}
