const names: Record<string, string> = { owner: 'Owner', admin: 'Admin', agent: 'Agent', viewer: 'Viewer' };

export function roleName(role: string): string {
  return names[role] ?? role;
}
