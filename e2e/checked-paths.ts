/** Paths that flows open and check with axe in all colour schemes. A new page belongs in a list of this file. */

export const SIGNED_OUT_PATHS = [
  '/forgot-password',
  '/invitation?token=unknown',
  '/reset-password',
  '/reset-password?token=unknown',
  '/sign-in?after=new-password',
  '/sign-in',
];

/** Settings of a connected workspace. */
export const CONNECTED_PATHS = [
  '/settings/integrations',
  '/settings/integrations/connections',
  '/settings/integrations/ended',
  '/settings/integrations/history',
  '/settings/teammates',
  '/settings/account',
  '/settings/workspace',
  '/settings/plan',
];

/** Other pages on which owners see more than other roles. */
export const OWNER_PATHS = [
  '/settings/teams',
  '/settings/saved-replies',
  '/settings/ai-agent',
  '/settings/ai-agent/test',
  '/settings/flows',
  '/settings/web-chat',
  '/settings/channels',
  '/settings/blocked-senders',
  '/settings/notifications',
  '/inbox/spam',
  '/inbox/deleted',
];

/** Read-only and refused pages of a viewer. */
export const VIEWER_PATHS = [
  '/contacts',
  '/settings/integrations',
  '/settings/teammates',
  '/settings/account',
  '/settings/workspace',
  '/settings/ai-agent',
  '/settings/flows',
  '/settings/plan',
  '/nowhere',
];

export const CONTACT_PATHS = ['/contacts?search=nobody-at-all', '/contacts/new', '/contacts/no-such'];

export const COMPANY_PATHS = [
  '/contacts/companies',
  '/contacts/companies?search=nobody',
  '/contacts/companies/x',
];

/** Pages that a flow reaches in another way, for example by a link in an email, with the flow that checks them. */
export const PAGES_BY_FLOW: Record<string, string> = {
  '/docs': 'screens.spec.ts',
  '/inbox': 'screens.spec.ts',
  '/contacts/[id]': 'screens.spec.ts',
  '/contacts/[id]/edit': 'screens.spec.ts',
  '/contacts/companies/[id]': 'teams-and-companies.spec.ts',
  '/oauth/authorize': 'screens.spec.ts',
  '/no-workspace': 'teammates.spec.ts',
  '/chat/[workspaceId]': 'web-chat.spec.ts',
  '/verify': 'web-chat.spec.ts',
  '/rate/[token]': 'rating-mail.spec.ts',
};

/** Pages that only redirect. */
export const REDIRECTS = ['/', '/settings'];
