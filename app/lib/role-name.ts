const names: Record<string, string> = { owner: 'Owner', admin: 'Admin', agent: 'Agent', viewer: 'Viewer' };

/** A role as the screens write it. */
export function roleName(role: string): string {
  return names[role] ?? role;
}
