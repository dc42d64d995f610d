'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usePathname, useRouter } from 'next/navigation';
import {
  bulkEntries,
  changeEntries,
  listEntries,
  mayChange,
  savedReplyEntries,
  savedViewEntries,
} from '#app/components/command-menu/conversation-entries.ts';
import { orderEntries, selectListedEntries } from '#app/components/command-menu/list-entries.ts';
import type { MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import {
  commandEntries,
  detailsEntries,
  restoreEntries,
  restoreEntry,
} from '#app/components/command-menu/opened-entries.ts';
import { accountEntries, actionEntries, pageEntries } from '#app/components/command-menu/page-entries.ts';
import { typedName } from '#app/components/command-menu/typed-name.ts';
import { useSelection } from '#app/components/inbox/selection.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useSavedViews } from '#app/components/saved-views/use-saved-views.ts';
import { applyTheme } from '#app/components/shell/apply-theme.ts';
import { isIn } from '#app/components/shell/pages.ts';
import type { ShortcutAct } from '#app/components/shell/shortcut-list.ts';
import { useSignOut } from '#app/components/shell/use-sign-out.ts';
import { openWorkspace } from '#app/components/shell/workspace-menu-items.tsx';
import { readTargets } from '#app/components/ui/press-target.ts';
import { useDebounced } from '#app/components/ui/use-debounced.ts';
import { openedQuery } from '#app/components/view/inbox-queries.ts';
import { useInboxView } from '#app/components/view/inbox-view.tsx';
import { useListedIds } from '#app/components/view/open-neighbour.ts';

/** Debounce of the search on the server, in ms. */
const DEBOUNCE_MS = 150;
const QUERY_MAX_LENGTH = 100;

/** The role of the teammate, and whether the open workspace is a test workspace. */
export type MenuUser = { role: string; isTest: boolean };

/** Returns all entries for the page on screen. Teammates, teams, tags and saved replies are searched on the server. */
export function useMenuEntries(
  { role, isTest }: MenuUser,
  text: string,
): { entries: MenuEntry[]; isSearching: boolean } {
  const screens = useScreens();
  const pathname = usePathname();
  const router = useRouter();
  const refresh = () => router.refresh();
  const view = useInboxView();
  const selection = useSelection();
  const listed = useListedIds();
  const opened = useOpened();
  const { targets, canPress, canRun, isBulk } = pressable();
  const saved = useSavedViews();
  const { run: signOut } = useSignOut();
  const debounced = useDebounced(text, DEBOUNCE_MS);
  const query = typedName(debounced).slice(0, QUERY_MAX_LENGTH);
  const isTyped = debounced.trim() !== '';
  // A single word also finds names by their letters, and must not outrank the commands that it finds in this way.
  const isPhrase = /\s/.test(debounced.trim());
  const canReply = opened !== null && canPress('reply');
  const names = useQuery({
    queryKey: ['command-menu', 'names', query] as const,
    queryFn: ({ signal }) => screens.inbox.findByName.query({ query }, { signal }),
    enabled: isTyped,
    // Without the previous results, the list would flicker with each letter.
    placeholderData: keepPreviousData,
  });
  const conversationId = opened?.conversation.id ?? '';
  const offered = useQuery({
    queryKey: ['command-menu', 'saved-replies', conversationId, query] as const,
    queryFn: ({ signal }) => screens.savedReplies.offer.query({ conversationId, query }, { signal }),
    enabled: isTyped && canReply,
    placeholderData: keepPreviousData,
  });
  const session = useQuery({
    queryKey: ['command-menu', 'session'] as const,
    queryFn: ({ signal }) => screens.session.current.query(undefined, { signal }),
    enabled: isTyped,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isEmpty = text.trim() === '';
  const found = isEmpty ? undefined : names.data;
  const replies = isEmpty ? [] : (offered.data ?? []);
  const { workspace, workspaces = [] } = (isEmpty ? null : session.data) ?? {};
  const changes =
    selection.ids.size > 0
      ? bulkEntries(found, text)
      : opened && mayChange(opened)
        ? changeEntries(opened, found, text)
        : [];
  const isSolved = isBulk({ kind: 'press', target: 'solve' })
    ? targets.get('solve')?.element.ariaLabel?.startsWith('Reopen') === true
    : opened?.conversation.status === 'solved';
  const entries = [
    ...actionEntries({ role, canRun, isBulk, isSolved }),
    ...changes,
    ...(opened && mayChange(opened) ? detailsEntries(opened) : []),
    ...(opened ? restoreEntry(opened, refresh) : []),
    ...(opened && !isEmpty && canPress('command') ? commandEntries(opened.composer) : []),
    ...(opened && canReply
      ? savedReplyEntries(opened.composer, replies, isPhrase && !offered.isPlaceholderData ? query : '')
      : []),
    ...savedViewEntries(saved),
    ...(pathname === '/inbox' && canPress('search')
      ? [...(isIn('writers', role) ? selectListedEntries(listed) : []), ...orderEntries(view)]
      : []),
    ...(isEmpty ? [] : restoreEntries(refresh)),
    ...listEntries(found),
    ...pageEntries(role, { isTest }),
    ...accountEntries({
      otherWorkspaces: workspaces.filter(({ id }) => id !== workspace?.id),
      openWorkspace: (id) => openWorkspace(id, pathname),
      setTheme: applyTheme,
      signOut,
    }),
  ];
  const isSearching = text !== debounced || names.isFetching || offered.isFetching || session.isFetching;
  return { entries: entries.filter(({ act }) => !isTypedAlready(act, text)), isSearching };
}

/** Returns the open conversation, or null. */
function useOpened() {
  const screens = useScreens();
  const { selected } = useInboxView();
  const isInbox = usePathname() === '/inbox';
  const id = isInbox ? selected : undefined;
  const { data } = useQuery({ ...openedQuery(screens, id ?? ''), enabled: id !== undefined });
  return id === undefined ? null : (data ?? null);
}

/** Returns what of the page can be pressed now. */
function pressable() {
  const targets = readTargets();
  const canPress = (target: string) => targets.get(target)?.isShown === true;
  return {
    targets,
    canPress,
    canRun: (act: ShortcutAct): boolean => {
      if (act.kind === 'move') return document.querySelector('[data-conversation]') !== null;
      if (act.kind !== 'press') return true;
      return canPress(act.target) || (act.target === 'back' && targets.has('back'));
    },
    /** Returns whether the action presses a button for the selected conversations. */
    isBulk: (act: ShortcutAct): boolean =>
      act.kind === 'press' &&
      canPress(act.target) &&
      targets.get(act.target)?.element.closest('[data-bulk-bar]') != null,
  };
}

function isTypedAlready(act: MenuEntry['act'], text: string): boolean {
  return act.kind === 'type' && text.toLowerCase().startsWith(act.text.toLowerCase());
}
