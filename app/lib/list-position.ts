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
