/** The queue in which the updates of an account are worked off, one after the other over all workers. */
export function updatesQueue(accountId: string): string {
  return `updates:${accountId}`;
}
