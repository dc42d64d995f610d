import type { MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import { INBOX_VIEWS, isIn, settingsGroups } from '#app/components/shell/pages.ts';
import { SHORTCUTS, type ShortcutAct } from '#app/components/shell/shortcut-list.ts';
import { viewPath } from '#app/lib/inbox-path.ts';
import { themeNames, themes } from '#app/lib/themes.ts';

type Options = {
  role: string;
  /** Returns whether the page on screen has the action's target. */
  canRun: (act: ShortcutAct) => boolean;
  /** Returns whether the action presses a button for the selected conversations. */
  isBulk: (act: ShortcutAct) => boolean;
  /** The open or selected conversations are solved. */
  isSolved: boolean;
};

/** Returns the actions of the page on screen. A button that a role does not have is not on the page. */
export function actionEntries({ role, canRun, isBulk, isSolved }: Options): MenuEntry[] {
  const listed = SHORTCUTS.flatMap(({ about, shortcuts }) =>
    shortcuts.map(({ keys, label, act }): MenuEntry => {
      const group = isBulk(act) ? 'Selected conversations' : (GROUPS[about] ?? 'Account');
      return { id: `act:${label}`, group, label, keys, act };
    }),
  );
  const isPossible = ({ act }: MenuEntry) => {
    switch (act.kind) {
      case 'press':
        // Tags are added by name, and only writers start conversations, from any page.
        if (act.target === 'tag') return false;
        if (act.target === 'back' && isBulk(act)) return false;
        return canRun(act) || (act.otherwise !== undefined && isIn('writers', role));
      case 'move':
        return canRun(act);
      default:
        return act.kind === 'help';
    }
  };
  const solve = isSolved ? 'Reopen' : 'Solve';
  return [...listed, ...MORE_ACTIONS]
    .filter(isPossible)
    .map((entry) =>
      entry.id === 'act:Solve or reopen' ? { ...entry, label: solve, words: 'status' } : entry,
    );
}

const GROUPS: Record<string, MenuEntry['group']> = {
  List: 'Inbox',
  'Open conversation': 'Open conversation',
};

/** Actions without a key. */
const MORE_ACTIONS = [
  action('Open conversation', 'Attach files', 'attach'),
  action('Open conversation', 'Run command', 'command'),
  action('Open conversation', 'Send template', 'template'),
  action('Open conversation', 'Delete conversation', 'delete'),
  action('Open conversation', 'Show or hide details', 'details'),
  action('Inbox', 'Filter conversations', 'filter'),
  action('Inbox', 'Mark all as read', 'mark-all-read'),
  action('Inbox', 'Save view', 'save-view'),
  action('Inbox', 'Rename view', 'rename-view'),
  action('Inbox', 'Delete view', 'delete-view'),
  action('Inbox', 'Select all in view', 'select-view'),
];

function action(group: MenuEntry['group'], label: string, target: string): MenuEntry {
  return { id: `act:${label}`, group, label, act: { kind: 'press', target } };
}

/** Returns the views of the inbox, and the pages and settings that a role may open. */
export function pageEntries(role: string, { isTest }: { isTest: boolean }): MenuEntry[] {
  const views = INBOX_VIEWS.map(({ name, filters }) =>
    page('Inbox', name === 'All' ? 'All conversations' : name, viewPath(filters)),
  );
  const settings = settingsGroups({ role, isTest }).flatMap(({ pages }) => pages);
  return [
    ...views,
    page('Inbox', 'Spam', '/inbox/spam'),
    ...(isIn('admins', role) ? [page('Inbox', 'Deleted', '/inbox/deleted')] : []),
    page('Pages', 'Contacts', '/contacts'),
    page('Pages', 'Companies', '/contacts/companies'),
    ...(isIn('admins', role) ? [page('Pages', 'Reports', '/reports')] : []),
    ...(isIn('writers', role) ? [page('Pages', 'New contact', '/contacts/new')] : []),
    page('Pages', 'API documentation', '/docs', 'help guide developers'),
    page('Settings', 'Settings', '/settings'),
    ...settings.map(({ name, href, words = '' }) => page('Settings', name, href, `settings ${words}`)),
    ...(isIn('writers', role)
      ? [page('Settings', 'Test the AI agent', '/settings/ai-agent/test', 'settings')]
      : []),
    ...(isIn('admins', role)
      ? INTEGRATION_LISTS.map(({ name, href }) =>
          page('Settings', name, href, 'settings integrations deliveries'),
        )
      : []),
    ...(isIn('admins', role)
      ? [page('Settings', 'Email', '/settings/channels/email', 'settings domains mailboxes signing dkim mx')]
      : []),
  ];
}

const INTEGRATION_LISTS = [
  { name: 'Event log', href: '/settings/integrations#event-log' },
  { name: 'Connections', href: '/settings/integrations/connections' },
  { name: 'Past connections', href: '/settings/integrations/ended' },
  { name: 'Connection history', href: '/settings/integrations/history' },
];

function page(group: MenuEntry['group'], label: string, href: string, words = 'view page'): MenuEntry {
  const shortcut = ALL_SHORTCUTS.find(({ act }) => act.kind === 'go' && act.href === href);
  const keys = shortcut ? { keys: shortcut.keys } : {};
  return {
    id: `page:${href}`,
    group,
    label,
    words: `go to open ${words}`,
    ...keys,
    act: { kind: 'go', href },
  };
}

const ALL_SHORTCUTS = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts);

type AccountActions = {
  /** Workspaces besides the open one. */
  otherWorkspaces: { id: string; name: string }[];
  openWorkspace: (id: string) => unknown;
  setTheme: (theme: (typeof themes)[number]) => unknown;
  signOut: () => unknown;
};

export function accountEntries({
  otherWorkspaces,
  openWorkspace,
  setTheme,
  signOut,
}: AccountActions): MenuEntry[] {
  return [
    ...otherWorkspaces.map(
      ({ id, name }): MenuEntry => ({
        id: `workspace:${id}`,
        group: 'Account',
        label: `Switch to workspace ${name}`,
        words: 'open change',
        act: { kind: 'call', call: () => openWorkspace(id) },
      }),
    ),
    ...themes.map(
      (theme): MenuEntry => ({
        id: `theme:${theme}`,
        group: 'Account',
        label: `Theme: ${themeNames[theme]}`,
        words: 'dark mode colour scheme appearance',
        act: { kind: 'call', call: () => setTheme(theme) },
      }),
    ),
    {
      id: 'sign-out',
      group: 'Account',
      label: 'Sign out',
      words: 'log out',
      act: { kind: 'call', call: signOut },
    },
  ];
}
