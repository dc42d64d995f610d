const sameScreens = [
  '/contacts/companies',
  '/contacts',
  '/settings/integrations',
  '/settings/teammates',
  '/settings/teams',
  '/settings/workspace',
  '/settings/plan',
];

/**
 * The screen to show after another workspace was opened: the same one; of a record, the list it is in, as records
 * do not exist in other workspaces.
 */
export function sameScreen(pathname: string): string {
  return sameScreens.find((path) => pathname.startsWith(path)) ?? '/inbox';
}
