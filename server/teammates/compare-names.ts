/** People read names without regard to case, whatever the database's own order is. */
const COLLATOR = new Intl.Collator('en');

/** Orders records by name; those of one name by id, so that the order is always the same. */
export function compareNames(a: { id: string; name: string }, b: { id: string; name: string }): number {
  return COLLATOR.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}
