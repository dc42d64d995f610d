type Work = () => void;

/** The work of each open transaction. */
const pending = new WeakMap<object, Set<Work>>();

/**
 * Runs `work` after the transaction `tx` is committed, and never if it is rolled back. For messages about the change: they
 * must not arrive before the change is visible. `work` must not throw. The same function runs once, however often it is
 * added. Outside of a transaction it runs immediately.
 */
export function afterCommit(tx: object, work: Work): void {
  const works = pending.get(tx);
  if (works) works.add(work);
  else work();
}

/**
 * Runs a transaction, then the work that was added to it.
 * @param transaction calls `opened` with the object that its changes pass to `afterCommit`
 */
export async function runWithAfterCommit<T>(
  transaction: (opened: (tx: object) => void) => Promise<T>,
): Promise<T> {
  const works = new Set<Work>();
  const result = await transaction((tx) => pending.set(tx, works));
  for (const work of works) work();
  return result;
}
