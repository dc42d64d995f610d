/** Paths that flows open and check with axe in all colour schemes. A new page belongs in a list of this file. */

export const SIGNED_OUT_PATHS = [
  '/address?token=unknown',
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
  '/settings/business-hours',
  '/settings/visibility',
  '/settings/fields',
  '/settings/tags',
  '/settings/saved-replies',
  '/settings/ai-agent',
  '/settings/ai-agent/test',
  '/settings/flows',
  '/settings/web-chat',
  '/settings/channels',
  '/settings/channels/email',
  '/settings/blocked-senders',
  '/settings/developers',
  '/settings/audit-log',
  '/settings/notifications',
  '/reports',
  '/reports?range=12m',
  '/reports/conversations?range=12m&measure=created',
  '/inbox/spam',
  '/inbox/deleted',
  '/share',
  '/share?problem=not_ready',
];

/** Views of the inbox, which a viewer opens by their addresses. */
export const VIEWER_INBOX_PATHS = [
  '/inbox?selected=no-such',
  '/inbox?status=all&assignee=unassigned&channel=email',
  '/inbox?tag=VIP&search=nowhere',
  '/inbox',
];

/** Read-only and refused pages of a viewer. */
export const VIEWER_PATHS = [
  '/contacts',
  '/contacts?search=nobody-at-all',
  '/contacts/new',
  '/contacts/no-such',
  '/contacts/companies',
  '/settings/integrations',
  '/settings/teammates',
  '/settings/teams',
  '/settings/account',
  '/settings/workspace',
  '/settings/ai-agent',
  '/settings/flows',
  '/settings/plan',
  '/share',
  '/nowhere',
];

/** Pages of companies of an agent. */
export const AGENT_PATHS = [
  '/contacts/companies',
  '/contacts/companies?search=nobody',
  '/contacts/companies/x',
];

/** Pages that are reached in another way, for example by a link in an email, with the flow that checks them. */
export const PAGES_BY_FLOW: Record<string, string> = {
  '/docs': 'pages.spec.ts',
  '/docs/developer': 'pages.spec.ts',
  '/settings/developers/webhooks/[id]': 'developers.spec.ts',
  '/settings/outbox': 'test-workspace.spec.ts',
  '/settings/workspace/single-sign-on': 'single-sign-on.spec.ts',
  '/sign-in/problem': 'single-sign-on.spec.ts',
  '/contacts/[id]': 'pages.spec.ts',
  '/contacts/[id]/edit': 'pages.spec.ts',
  '/contacts/companies/[id]': 'pages.spec.ts',
  '/oauth/authorize': 'pages.spec.ts',
  '/no-workspace': 'teammates.spec.ts',
  '/chat/[workspaceId]': 'pages.spec.ts',
  '/verify': 'pages.spec.ts',
  '/rate/[token]': 'pages.spec.ts',
};

/** Pages that only redirect. */
export const REDIRECTS = ['/', '/settings'];
