/** What a shortcut does: presses a part of the page by its `data-shortcut`, walks the list, or goes somewhere. */
export type ShortcutAct =
  /** `within`: what is opened first when the part is not there. `otherwise`: where to go when there is none at all. */
  | { kind: 'press'; target: string; within?: string; otherwise?: string }
  | { kind: 'walk'; by: 1 | -1 }
  | { kind: 'go'; href: string }
  | { kind: 'help' };

/** One shortcut: the keys that do it (several: any of them; two with a space: one after the other), and its words. */
export type Shortcut = { keys: string[]; says: string; act: ShortcutAct };

/** Every shortcut, by what it is about: what the keyboard listens for, and what `?` lists. */
export const SHORTCUTS: { about: string; shortcuts: Shortcut[] }[] = [
  {
    about: 'The list',
    shortcuts: [
      { keys: ['j', 'ArrowDown'], says: 'Next conversation', act: { kind: 'walk', by: 1 } },
      { keys: ['k', 'ArrowUp'], says: 'Previous conversation', act: { kind: 'walk', by: -1 } },
      { keys: ['/'], says: 'Search', act: { kind: 'press', target: 'search' } },
      {
        keys: ['c'],
        says: 'New conversation',
        act: { kind: 'press', target: 'new-conversation', otherwise: '/inbox?new=' },
      },
    ],
  },
  {
    about: 'Everywhere',
    shortcuts: [
      { keys: ['g i'], says: 'Inbox', act: { kind: 'go', href: '/inbox' } },
      { keys: ['g c'], says: 'Contacts', act: { kind: 'go', href: '/contacts' } },
      { keys: ['g s'], says: 'Settings', act: { kind: 'go', href: '/settings' } },
      { keys: ['?'], says: 'Keyboard shortcuts', act: { kind: 'help' } },
    ],
  },
  {
    about: 'The open conversation',
    shortcuts: [
      { keys: ['r'], says: 'Reply', act: { kind: 'press', target: 'reply' } },
      { keys: ['n'], says: 'Note', act: { kind: 'press', target: 'note' } },
      { keys: ['e'], says: 'Solve, or reopen', act: { kind: 'press', target: 'solve' } },
      { keys: ['a'], says: 'Assign to me', act: { kind: 'press', target: 'assign' } },
      { keys: ['t'], says: 'Add a tag', act: { kind: 'press', target: 'tag', within: 'details' } },
      { keys: ['m'], says: 'Merge', act: { kind: 'press', target: 'merge' } },
      { keys: ['Escape'], says: 'Back to list', act: { kind: 'press', target: 'back' } },
    ],
  },
];

/** The key that is opened in a row besides the listed ones: the browser itself opens what is focused. */
export const ENTER = { keys: ['Enter'], says: 'Open the conversation' };

const BY_KEY = new Map<string, ShortcutAct>(
  SHORTCUTS.flatMap(({ shortcuts }) =>
    shortcuts.flatMap(({ keys, act }) => keys.map((key): [string, ShortcutAct] => [key, act])),
  ),
);
/** The first keys of those that are two. */
const PREFIXES = new Set([...BY_KEY.keys()].filter((key) => key.includes(' ')).map((key) => key.charAt(0)));

/**
 * What a key does after the one before: something, or nothing yet as it is the first of two, or nothing.
 * @param prefix the key before, if it was the first of two
 */
export function shortcutOf(
  key: string,
  prefix: string | null,
): { act: ShortcutAct | null; prefix: string | null } {
  const both = prefix === null ? undefined : BY_KEY.get(`${prefix} ${key}`);
  if (both) return { act: both, prefix: null };
  if (PREFIXES.has(key)) return { act: null, prefix: key };
  return { act: BY_KEY.get(key) ?? null, prefix: null };
}

/** A key as keyboards show it. */
export function keyName(key: string): string {
  const names: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };
  return names[key] ?? (/^[a-z]$/.test(key) ? key.toUpperCase() : key);
}
