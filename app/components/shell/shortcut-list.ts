import { addTagToOpened } from '#app/components/inbox/details-store.ts';
import { isApple } from '#app/components/shell/command-key.ts';

/**
 * Action of a shortcut: clicks an element by its `data-shortcut`, opens a neighbour in the inbox or focuses one in other
 * lists, or navigates.
 */
export type ShortcutAct =
  /**
   * `otherwise`: path to open, or function to call, if there is no target. A function returns whether it was possible.
   * `last`: presses the last of several targets.
   */
  | { kind: 'press'; target: string; otherwise?: string | (() => boolean); last?: true }
  | { kind: 'move'; by: 1 | -1 }
  | { kind: 'go'; href: string }
  /** Presses Undo in the newest toast that has it. */
  | { kind: 'undo' }
  | { kind: 'help' }
  | { kind: 'menu' };

/** `keys` are alternatives. Two keys with a space are pressed in sequence, keys with `Mod+` together with Ctrl, or Cmd on Apple devices. */
export type Shortcut = { keys: string[]; label: string; act: ShortcutAct };

/** All shortcuts by area, for the key handler and the `?` dialog. */
export const SHORTCUTS: { about: string; shortcuts: Shortcut[] }[] = [
  {
    about: 'List',
    shortcuts: [
      { keys: ['j', 'ArrowDown'], label: 'Open next conversation', act: { kind: 'move', by: 1 } },
      { keys: ['k', 'ArrowUp'], label: 'Open previous conversation', act: { kind: 'move', by: -1 } },
      { keys: ['x'], label: 'Select open conversation', act: { kind: 'press', target: 'select' } },
      { keys: ['X'], label: 'Clear selection', act: { kind: 'press', target: 'clear-selection' } },
      { keys: ['/'], label: 'Search', act: { kind: 'press', target: 'search' } },
      {
        keys: ['c'],
        label: 'New conversation',
        act: { kind: 'press', target: 'new-conversation', otherwise: '/inbox?new=' },
      },
    ],
  },
  {
    about: 'Everywhere',
    shortcuts: [
      { keys: ['Mod+k'], label: 'Command menu', act: { kind: 'menu' } },
      { keys: ['Mod+z'], label: 'Undo', act: { kind: 'undo' } },
      { keys: ['g i'], label: 'Inbox', act: { kind: 'go', href: '/inbox' } },
      { keys: ['g c'], label: 'Contacts', act: { kind: 'go', href: '/contacts' } },
      { keys: ['g s'], label: 'Settings', act: { kind: 'go', href: '/settings' } },
      { keys: ['?'], label: 'Keyboard shortcuts', act: { kind: 'help' } },
    ],
  },
  {
    about: 'Open conversation',
    shortcuts: [
      { keys: ['r'], label: 'Reply', act: { kind: 'press', target: 'reply' } },
      { keys: ['y'], label: 'Send suggested reply', act: { kind: 'press', target: 'send-suggested' } },
      { keys: ['n'], label: 'Note', act: { kind: 'press', target: 'note' } },
      { keys: ['N'], label: 'Edit your last note', act: { kind: 'press', target: 'edit-note', last: true } },
      { keys: ['e'], label: 'Solve or reopen', act: { kind: 'press', target: 'solve' } },
      { keys: ['s'], label: 'Change status', act: { kind: 'press', target: 'status' } },
      { keys: ['f'], label: 'Forward last message', act: { kind: 'press', target: 'forward', last: true } },
      { keys: ['w'], label: 'Explain last message', act: { kind: 'press', target: 'explain', last: true } },
      { keys: ['z'], label: 'Snooze', act: { kind: 'press', target: 'snooze' } },
      { keys: ['a'], label: 'Assign to me', act: { kind: 'press', target: 'assign' } },
      { keys: ['t'], label: 'Add a tag', act: { kind: 'press', target: 'tag', otherwise: addTagToOpened } },
      { keys: ['m'], label: 'Merge', act: { kind: 'press', target: 'merge' } },
      { keys: ['!'], label: 'Mark as spam', act: { kind: 'press', target: 'spam' } },
      { keys: ['u'], label: 'Mark as unread', act: { kind: 'press', target: 'unread' } },
      { keys: ['Escape'], label: 'Back to list', act: { kind: 'press', target: 'back' } },
    ],
  },
];

const BY_KEY = new Map<string, ShortcutAct>(
  SHORTCUTS.flatMap(({ shortcuts }) =>
    shortcuts.flatMap(({ keys, act }) => keys.map((key): [string, ShortcutAct] => [key, act])),
  ),
);
/** First keys of the two-key shortcuts. */
const PREFIXES = new Set([...BY_KEY.keys()].filter((key) => key.includes(' ')).map((key) => key.charAt(0)));

/**
 * Returns the action of a key, or the prefix if it starts a two-key shortcut, or neither.
 * @param prefix the previous key, if it starts a two-key shortcut
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

/** Returns the keys of the shortcut that presses an element with this `data-shortcut`. */
export function keysOf(targets = ''): string[] {
  const [first] = targets.split(' ');
  const shortcuts = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts);
  return shortcuts.find(({ act }) => act.kind === 'press' && act.target === first)?.keys ?? [];
}

/** Returns the label of a key on this device's keyboard. */
export function keyName(key: string, userAgent = navigator.userAgent): string {
  const names: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };
  if (names[key] !== undefined) return names[key];
  if (key.startsWith('Mod+'))
    return `${isApple(userAgent) ? '⌘' : 'Ctrl+'}${keyName(key.slice(4), userAgent)}`;
  if (/^[A-Z]$/.test(key)) return `Shift+${key}`;
  return /^[a-z]$/.test(key) ? key.toUpperCase() : key;
}
