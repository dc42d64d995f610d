import type { ShortcutAct } from '#app/components/shell/shortcut-list.ts';

/** Headings of the command menu, in their order. */
export const MENU_GROUPS = [
  'Selected conversations',
  'Open conversation',
  'Saved replies',
  'Inbox',
  'Pages',
  'Settings',
  'Account',
] as const;

export type MenuGroup = (typeof MENU_GROUPS)[number];

/**
 * Action of an entry: that of a shortcut, a function, or text that is typed into the menu, which stays open to choose a
 * name.
 */
export type MenuAct = ShortcutAct | { kind: 'call'; call: () => unknown } | { kind: 'type'; text: string };

/** `words`: further words that find the entry. `name`: the end of the label, after a prefix. `hint`: shown beside the label. */
export type MenuEntry = {
  id: string;
  group: MenuGroup;
  label: string;
  words?: string;
  name?: string;
  hint?: string;
  keys?: string[];
  act: MenuAct;
};
