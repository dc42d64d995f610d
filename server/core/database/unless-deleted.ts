/** A team or company as the contract shows it; one that is being deleted is shown to no one (`deletedAt`). */
export function unlessDeleted(
  found: { id: string; name: string; deletedAt: Date | null } | null,
): { id: string; name: string } | null {
  return found && found.deletedAt === null ? { id: found.id, name: found.name } : null;
}
