/** Returns the rows of all pages. A row that moved between two requests appears once. */
export function joinRows<Row extends { id: string }>(pages: readonly (readonly Row[])[]): Row[] {
  const seen = new Set<string>();
  return pages.flat().filter(({ id }) => !seen.has(id) && seen.add(id));
}
