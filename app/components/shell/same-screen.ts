const sameScreens = [
  '/contacts/companies',
  '/contacts',
  '/settings/integrations',
  '/settings/teammates',
  '/settings/teams',
  '/settings/visibility',
  '/settings/workspace',
  '/settings/plan',
  '/settings/outbox',
];

/**
 * Returns the path to open after switching the workspace: the same screen, or the list for a record, which exists in
 * one workspace only.
 */
export function sameScreen(pathname: string): string {
  return sameScreens.find((path) => pathname.startsWith(path)) ?? '/inbox';
}
