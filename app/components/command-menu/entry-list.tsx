import {
  CircleUserRound,
  FileText,
  Inbox,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  MessageSquareText,
  Settings,
} from 'lucide-react';
import { useEffect } from 'react';
import type { MenuEntry, MenuGroup } from '#app/components/command-menu/menu-entry.ts';
import type { Section } from '#app/components/command-menu/rank-entries.ts';
import { Keys } from '#app/components/shell/keys.tsx';
import { cx } from '#app/lib/cx.ts';

const ICONS: Record<MenuGroup, LucideIcon> = {
  'Selected conversations': ListChecks,
  'Open conversation': MessageSquare,
  'Saved replies': MessageSquareText,
  Inbox,
  Pages: FileText,
  Settings,
  Account: CircleUserRound,
};

/** Returns the element id of an entry. Ids of entries may contain any text. */
export function entryElementId(listId: string, id: string): string {
  return `${listId}-${encodeURIComponent(id)}`;
}

type Props = {
  id: string;
  sections: Section[];
  active: MenuEntry | undefined;
  onChoose: (entry: MenuEntry) => void;
  /** Called when the pointer moves over an entry. */
  onPoint: (id: string) => void;
};

/** Entries by group. */
export function EntryList({ id, sections, active, onChoose, onPoint }: Props) {
  const activeElementId = active && entryElementId(id, active.id);
  useEffect(() => {
    if (activeElementId) document.getElementById(activeElementId)?.scrollIntoView({ block: 'nearest' });
  }, [activeElementId]);
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Commands"
      className="scroll-pane min-h-0 scroll-py-2 p-2 empty:hidden"
    >
      {sections.map(({ name, entries }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options
        <div key={name} role="group" aria-labelledby={`${id}-group-${index}`} className="pb-1">
          <div id={`${id}-group-${index}`} className="px-2 pt-1.5 pb-1 font-medium text-ink-faint text-xs">
            {name}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              id={entryElementId(id, entry.id)}
              entry={entry}
              isActive={entry === active}
              onChoose={() => onChoose(entry)}
              onPoint={() => onPoint(entry.id)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

type OptionProps = {
  id: string;
  entry: MenuEntry;
  isActive: boolean;
  onChoose: () => void;
  onPoint: () => void;
};

function Option({ id, entry: { group, label, hint, keys }, isActive, onChoose, onPoint }: OptionProps) {
  const Icon = ICONS[group];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option (aria-activedescendant)
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // Mouse down would move the focus before the click.
      onMouseDown={(press) => press.preventDefault()}
      onClick={onChoose}
      onMouseMove={onPoint}
      className={cx(
        'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 text-list max-md:min-h-11 max-md:text-sm',
        isActive && 'bg-accent-soft text-accent-ink',
      )}
    >
      <Icon
        aria-hidden
        size={16}
        strokeWidth={1.75}
        className={cx('shrink-0', !isActive && 'text-ink-soft')}
      />
      <span className={cx('truncate', hint ? 'shrink-0 max-w-[60%]' : 'grow')}>{label}</span>
      {hint ? (
        <span className={cx('min-w-0 grow truncate text-xs', !isActive && 'text-ink-soft')}>{hint}</span>
      ) : null}
      {keys ? (
        <span className="flex shrink-0 items-center gap-1 max-md:hidden">
          <Keys keys={keys} />
        </span>
      ) : null}
    </div>
  );
}
