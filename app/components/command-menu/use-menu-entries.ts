'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { bulkEntries } from '#app/components/command-menu/bulk-entries.ts';
import {
  changeEntries,
  listEntries,
  mayChange,
  savedReplyEntries,
  savedViewEntries,
} from '#app/components/command-menu/conversation-entries.ts';
import type { MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import { accountEntries, actionEntries, pageEntries } from '#app/components/command-menu/page-entries.ts';
import { typedName } from '#app/components/command-menu/typed-name.ts';
import { openedQuery } from '#app/components/inbox/inbox-queries.ts';
import { useInboxView } from '#app/components/inbox/inbox-view.tsx';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useSavedViews } from '#app/components/saved-views/use-saved-views.ts';
import { applyTheme } from '#app/components/shell/apply-theme.ts';
import { findTarget, isShown } from '#app/components/shell/press-target.ts';
import type { ShortcutAct } from '#app/components/shell/shortcut-list.ts';
import { useSignOut } from '#app/components/shell/sign-out.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';

/** Debounce of the search on the server, in ms. */
const DEBOUNCE_MS = 150;
const QUERY_MAX_LENGTH = 100;

/** Returns all entries for the page on screen. Teammates, teams, tags and saved replies are searched on the server. */
export function useMenuEntries(role: string, text: string): { entries: MenuEntry[]; isSearching: boolean } {
  const screens = useScreens();
  const opened = useOpened();
  const saved = useSavedViews();
  const { run: signOut } = useSignOut();
  const debounced = useDebounced(text, DEBOUNCE_MS);
  const query = typedName(debounced).slice(0, QUERY_MAX_LENGTH);
  const isTyped = debounced.trim() !== '';
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
  const found = text.trim() === '' ? undefined : names.data;
  const replies = text.trim() === '' ? [] : (offered.data ?? []);
  const changes = canPress('clear-selection')
    ? bulkEntries(found, text)
    : opened && mayChange(opened)
      ? changeEntries(opened, found, text)
      : [];
  const isSolved = isBulk({ kind: 'press', target: 'solve' })
    ? findTarget('solve')?.title.startsWith('Reopen') === true
    : opened?.conversation.status === 'solved';
  const entries = [
    ...actionEntries({ role, canRun, isBulk, isSolved }),
    ...changes,
    ...(canReply ? savedReplyEntries(replies) : []),
    ...savedViewEntries(saved),
    ...listEntries(found),
    ...pageEntries(role),
    ...accountEntries({ setTheme: applyTheme, signOut }),
  ];
  const isSearching = text !== debounced || names.isFetching || offered.isFetching;
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

function canRun(act: ShortcutAct): boolean {
  if (act.kind === 'move') return document.querySelector('[data-conversation]') !== null;
  if (act.kind !== 'press') return true;
  return canPress(act.target) || (act.target === 'back' && findTarget('back') !== undefined);
}

/** Returns whether the action presses a button for the selected conversations. */
function isBulk(act: ShortcutAct): boolean {
  return (
    act.kind === 'press' && findTarget(act.target)?.closest('[data-bulk-bar]') != null && canPress(act.target)
  );
}

function canPress(target: string): boolean {
  const part = findTarget(target);
  return part !== undefined && isShown(part);
}

function isTypedAlready(act: MenuEntry['act'], text: string): boolean {
  return act.kind === 'type' && text.toLowerCase().startsWith(act.text.toLowerCase());
}
