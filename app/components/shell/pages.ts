import type { NavIconName } from '#app/components/view/nav-link.tsx';
import type { InboxFilters } from '#app/lib/inbox-path.ts';
import type { SidebarView } from '#server/screens/inbox/views.ts';

type Audience = 'everyone' | 'writers' | 'admins';

/** A settings page in the navigation, and the teammates who may open it. */
export type SettingsPage = {
  href: string;
  icon: NavIconName;
  name: string;
  audience: Audience;
  /** Only in test workspaces. */
  inTest?: true;
  /** Further words that the search of settings and the command menu find it by. */
  words?: string;
};

/** Settings pages about the same subject. */
export type SettingsGroup = { name: string; pages: SettingsPage[] };

const SETTINGS: SettingsGroup[] = [
  {
    name: 'You',
    pages: [
      {
        href: '/settings/account',
        icon: 'account',
        name: 'Account',
        audience: 'everyone',
        words:
          'name password passkeys profile signature sessions devices where you’re signed in two-factor authentication email address inbox after solving delete',
      },
      {
        href: '/settings/notifications',
        icon: 'notifications',
        name: 'Notifications',
        audience: 'everyone',
        words: 'sound desktop push quiet hours install app',
      },
    ],
  },
  {
    name: 'Workspace',
    pages: [
      {
        href: '/settings/outbox',
        icon: 'outbox',
        name: 'Outbox',
        audience: 'everyone',
        inTest: true,
        words: 'messages sent test',
      },
      {
        href: '/settings/workspace',
        icon: 'workspace',
        name: 'Workspace',
        audience: 'admins',
        words:
          'general name country language sla targets ratings email two-factor authentication single sign-on sso identity provider rules domains values test sign-in data retention anonymize export delete',
      },
      {
        href: '/settings/teammates',
        icon: 'teammates',
        name: 'Teammates',
        audience: 'everyone',
        words: 'members invite roles away absence vacation',
      },
      {
        href: '/settings/teams',
        icon: 'teams',
        name: 'Teams',
        audience: 'everyone',
        words: 'groups automatic assignment round robin least busy',
      },
      {
        href: '/settings/business-hours',
        icon: 'hours',
        name: 'Business hours',
        audience: 'admins',
        words: 'opening times holidays teams time zone sla',
      },
      {
        href: '/settings/visibility',
        icon: 'visibility',
        name: 'Visibility',
        audience: 'admins',
        words: 'permissions access who sees private channels teammates',
      },
      {
        href: '/settings/fields',
        icon: 'fields',
        name: 'Fields',
        audience: 'admins',
        words: 'custom attributes properties contacts conversations',
      },
      { href: '/settings/tags', icon: 'tags', name: 'Tags', audience: 'admins', words: 'labels colours' },
      {
        href: '/settings/audit-log',
        icon: 'audit',
        name: 'Audit log',
        audience: 'admins',
        words: 'history who changed',
      },
      {
        href: '/settings/plan',
        icon: 'plan',
        name: 'Plan',
        audience: 'admins',
        words: 'billing upgrade slots',
      },
    ],
  },
  {
    name: 'Channels',
    pages: [
      {
        href: '/settings/channels',
        icon: 'channels',
        name: 'Channels',
        audience: 'admins',
        words:
          'email domains mailboxes forwarding address mx record dkim signing contact forms posted whatsapp instagram messenger telegram slack',
      },
      {
        href: '/settings/web-chat',
        icon: 'chat',
        name: 'Web chat',
        audience: 'admins',
        words: 'widget website on your site script preview files',
      },
      { href: '/settings/blocked-senders', icon: 'spam', name: 'Blocked senders', audience: 'admins' },
    ],
  },
  {
    name: 'Automation',
    pages: [
      {
        href: '/settings/integrations',
        icon: 'integrations',
        name: 'Integrations',
        audience: 'admins',
        words: 'connections workflows event log',
      },
      {
        href: '/settings/flows',
        icon: 'automations',
        name: 'Automations',
        audience: 'everyone',
        words: 'rules flows triggers time status tags sla',
      },
      {
        href: '/settings/ai-agent',
        icon: 'agent',
        name: 'AI agent',
        audience: 'everyone',
        words: 'answering saved answers bot',
      },
      {
        href: '/settings/saved-replies',
        icon: 'savedReplies',
        name: 'Saved replies',
        audience: 'writers',
        words: 'templates macros',
      },
    ],
  },
  {
    name: 'Developers',
    pages: [
      {
        href: '/settings/developers',
        icon: 'developers',
        name: 'Developers',
        audience: 'admins',
        words: 'api tokens webhooks programs',
      },
    ],
  },
];

/** Returns the groups of settings pages that a teammate may open in a workspace. */
export function settingsGroups({ role, isTest }: { role: string; isTest: boolean }): SettingsGroup[] {
  return SETTINGS.map(({ name, pages }) => ({
    name,
    pages: pages.filter(({ audience, inTest }) => isIn(audience, role) && (isTest || !inTest)),
  })).filter(({ pages }) => pages.length > 0);
}

/** Returns whether a role belongs to an audience. Links to pages that would refuse the teammate are hidden. */
export function isIn(audience: Audience, role: string): boolean {
  if (audience === 'admins') return role === 'owner' || role === 'admin';
  return audience === 'everyone' || role !== 'viewer';
}

/** Filters that a view of the sidebar sets. */
export type ViewFilters = Pick<InboxFilters, 'assignee' | 'reply' | 'snoozed' | 'unread' | 'team'>;

export const INBOX_VIEWS: { view: SidebarView; name: string; filters: ViewFilters }[] = [
  { view: 'mine', name: 'Assigned to me', filters: { assignee: 'me' } },
  { view: 'unassigned', name: 'Unassigned', filters: { assignee: 'unassigned' } },
  { view: 'unread', name: 'Unread', filters: { unread: 'yes' } },
  { view: 'all', name: 'All', filters: {} },
  { view: 'failed', name: 'Not sent', filters: { reply: 'failed' } },
  { view: 'scheduled', name: 'Scheduled', filters: { reply: 'scheduled' } },
  { view: 'snoozed', name: 'Snoozed', filters: { snoozed: 'yes' } },
];
