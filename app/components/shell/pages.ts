import type { NavIconName } from '#app/components/view/nav-link.tsx';
import type { InboxFilters } from '#app/lib/inbox-path.ts';
import type { SidebarView } from '#server/screens/inbox/views.ts';

type Audience = 'everyone' | 'writers' | 'admins';

/** A settings page in the navigation, and the teammates who may open it. */
type SettingsPage = {
  href: string;
  icon: NavIconName;
  name: string;
  audience: Audience;
  /** Only in test workspaces. */
  inTest?: true;
  /** Further words that the command menu finds it by. */
  words?: string;
};

const SETTINGS_PAGES: SettingsPage[] = [
  {
    href: '/settings/outbox',
    icon: 'outbox',
    name: 'Outbox',
    audience: 'everyone',
    inTest: true,
    words: 'messages sent test',
  },
  { href: '/settings/integrations', icon: 'integrations', name: 'Integrations', audience: 'admins' },
  { href: '/settings/teammates', icon: 'teammates', name: 'Teammates', audience: 'everyone' },
  { href: '/settings/teams', icon: 'teams', name: 'Teams', audience: 'everyone' },
  {
    href: '/settings/visibility',
    icon: 'visibility',
    name: 'Visibility',
    audience: 'admins',
    words: 'permissions access who sees private',
  },
  { href: '/settings/workspace', icon: 'workspace', name: 'Workspace', audience: 'admins' },
  { href: '/settings/tags', icon: 'tags', name: 'Tags', audience: 'admins', words: 'labels' },
  { href: '/settings/saved-replies', icon: 'savedReplies', name: 'Saved replies', audience: 'writers' },
  { href: '/settings/ai-agent', icon: 'agent', name: 'AI agent', audience: 'everyone' },
  { href: '/settings/flows', icon: 'automations', name: 'Automations', audience: 'everyone' },
  { href: '/settings/web-chat', icon: 'chat', name: 'Web chat', audience: 'admins' },
  { href: '/settings/channels', icon: 'channels', name: 'Channels', audience: 'admins' },
  { href: '/settings/blocked-senders', icon: 'spam', name: 'Blocked senders', audience: 'admins' },
  {
    href: '/settings/developers',
    icon: 'developers',
    name: 'Developers',
    audience: 'admins',
    words: 'api tokens webhooks',
  },
  {
    href: '/settings/audit-log',
    icon: 'audit',
    name: 'Audit log',
    audience: 'admins',
    words: 'history who changed',
  },
  { href: '/settings/plan', icon: 'plan', name: 'Plan', audience: 'admins' },
];

/** Returns the settings pages that a teammate may open in a workspace. */
export function settingsPages({ role, isTest }: { role: string; isTest: boolean }): SettingsPage[] {
  return SETTINGS_PAGES.filter(({ audience, inTest }) => isIn(audience, role) && (isTest || !inTest));
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
