'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useId, useRef, useState } from 'react';
import { EntryList, entryElementId } from '#app/components/command-menu/entry-list.tsx';
import type { MenuAct, MenuEntry } from '#app/components/command-menu/menu-entry.ts';
import { firstEntries, rankEntries } from '#app/components/command-menu/rank-entries.ts';
import { type MenuUser, useMenuEntries } from '#app/components/command-menu/use-menu-entries.ts';
import { RECENT_KEY } from '#app/components/drafts/composer-store.ts';
import { holdsCommandKey } from '#app/components/shell/command-key.ts';
import type { ShortcutAct } from '#app/components/shell/shortcut-list.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { Shade } from '#app/components/ui/shade.tsx';
import { useAfterPaint } from '#app/components/ui/use-after-paint.ts';
import { useReturnFocus } from '#app/components/ui/use-return-focus.ts';
import { cx } from '#app/lib/cx.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { isComposing } from '#app/lib/is-composing.ts';

type Props = {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
  user: MenuUser;
  /** Runs the action of a shortcut. */
  run: (act: ShortcutAct) => unknown;
};

/** Finds and runs actions, views, pages, teammates, teams, tags and saved replies. On phones it fills the screen. */
export function CommandMenu({ control, user, run }: Props) {
  const { open, onOpenChange } = control;
  const contentId = useId();
  const returnFocus = useReturnFocus(open, false);
  const chosen = useRef<MenuAct | null>(null);
  /** Runs the chosen action once the focus is back on the page, which the action may move. */
  const runChosen = () => {
    const act = chosen.current;
    chosen.current = null;
    if (!act || act.kind === 'type') return;
    setTimeout(() => (act.kind === 'call' ? act.call() : run(act)));
  };
  const choose = ({ id, act }: MenuEntry) => {
    addRecent(id);
    chosen.current = act;
    onOpenChange(false);
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Shade className="z-40" />
        <Radix.Content
          id={contentId}
          data-command-menu
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            returnFocus?.(event);
            runChosen();
          }}
          className={cx(
            'fixed top-[12dvh] left-1/2 z-50 flex max-h-[min(32rem,76dvh)] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 animate-fade flex-col overflow-hidden rounded-lg border bg-surface',
            'max-md:inset-0 max-md:max-h-none max-md:w-auto max-md:max-w-none max-md:translate-x-0 max-md:rounded-none max-md:border-0',
          )}
        >
          <Radix.Title className="sr-only">Command menu</Radix.Title>
          <Commands user={user} contentId={contentId} onChoose={choose} onClose={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type CommandsProps = {
  user: MenuUser;
  contentId: string;
  onChoose: (entry: MenuEntry) => void;
  onClose: () => void;
};

/** The text field and the list (WAI-ARIA combobox with listbox). The field keeps the focus. */
function Commands({ user, contentId, onChoose, onClose }: CommandsProps) {
  const [text, setText] = useState('');
  const [activeId, setActiveId] = useState<string | null>(null);
  const [recent] = useState(readRecent);
  const { entries, isSearching } = useMenuEntries(user, text);
  const ranked = rankEntries(entries, text, recent);
  const sections = useAfterPaint() ? ranked : firstEntries(ranked);
  const shown = sections.flatMap((section) => section.entries);
  const active = shown.find(({ id }) => id === activeId) ?? shown[0];
  const listId = `${contentId}-list`;
  const type = (next: string) => {
    setText(next);
    setActiveId(null);
  };
  const choose = (entry: MenuEntry) => {
    if (entry.act.kind === 'type') type(entry.act.text);
    else onChoose(entry);
  };
  const move = (by: 1 | -1) => {
    const from = active ? shown.indexOf(active) : 0;
    setActiveId(shown.at((from + by) % shown.length)?.id ?? null);
  };
  return (
    <>
      <div className="flex shrink-0 items-center gap-1 border-b pr-2 max-md:pr-1">
        <input
          role="combobox"
          aria-label="Search commands"
          aria-expanded={shown.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active ? entryElementId(listId, active.id) : undefined}
          placeholder="Type a command, a page or a name"
          autoComplete="off"
          maxLength={150}
          value={text}
          onChange={({ target }) => type(target.value)}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return;
            const isMenuKey = event.key === 'k' && holdsCommandKey(event);
            if (event.key === 'ArrowDown') move(1);
            else if (event.key === 'ArrowUp') move(-1);
            else if (event.key === 'Enter' && active) choose(active);
            else if (isMenuKey) onClose();
            else return;
            event.preventDefault();
          }}
          className="focus-inset h-12 min-w-0 grow rounded-none bg-transparent pr-2 pl-4 outline-none placeholder:text-ink-faint max-md:h-14 max-md:text-base"
        />
        <Radix.Close asChild>
          <IconButton icon={X} label="Close" />
        </Radix.Close>
      </div>
      <span role="status" className="sr-only">
        {text.trim() === '' || isSearching ? '' : pluralize(shown.length, 'result')}
      </span>
      <EntryList id={listId} sections={sections} active={active} onChoose={choose} onPoint={setActiveId} />
      {shown.length === 0 && !isSearching ? (
        <p className="px-4 py-6 text-center text-ink-soft text-list">No matches. Try another word.</p>
      ) : null}
    </>
  );
}

const STORED_MAX = 20;

/** Returns the ids of the entries that were run in this browser, most recent first. */
function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function addRecent(id: string): void {
  try {
    const others = readRecent().filter((each) => each !== id);
    localStorage.setItem(RECENT_KEY, JSON.stringify([id, ...others].slice(0, STORED_MAX)));
  } catch {
    // Storage is unavailable or full.
  }
}
