/** Returns a team or company as the contract shows it, or null while it is being deleted (`deletedAt`). */
export function unlessDeleted(
  found: { id: string; name: string; deletedAt?: Date | null } | null,
): { id: string; name: string } | null {
  return found && !found.deletedAt ? { id: found.id, name: found.name } : null;
}
