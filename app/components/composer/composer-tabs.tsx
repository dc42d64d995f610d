import type { KeyboardEvent, ReactNode } from 'react';
import type { Kind } from '#app/components/drafts/composer-state.ts';
import { cx } from '#app/lib/cx.ts';

const TAB_NAMES: Record<Kind, string> = { reply: 'Reply', note: 'Note' };
/** Target tab for each key. */
const KEYS: Record<string, (shown: Kind) => Kind> = {
  ArrowLeft: (shown) => (shown === 'reply' ? 'note' : 'reply'),
  ArrowRight: (shown) => (shown === 'reply' ? 'note' : 'reply'),
  Home: () => 'reply',
  End: () => 'note',
};

type TabsProps = { shown: Kind; onShow: (kind: Kind) => void; onWrite: (kind: Kind) => void };

/**
 * Clicks and shortcuts focus the tab's text box. Arrow keys only switch tabs. Mouse down is ignored: a change of the
 * composer's height between mouse down and click would make the click miss the tab.
 */
export function ComposerTabs({ shown, onShow, onWrite }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const to = KEYS[event.key]?.(shown);
    if (to === undefined) return;
    event.preventDefault();
    onShow(to);
    document.getElementById(tabId(to))?.focus();
  };
  return (
    <div role="tablist" aria-label="Reply or note" className="flex border-b px-1">
      {(['reply', 'note'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          role="tab"
          id={tabId(kind)}
          aria-selected={kind === shown}
          aria-controls={pageId(kind)}
          tabIndex={kind === shown ? 0 : -1}
          data-shortcut={kind}
          onMouseDown={(press) => press.preventDefault()}
          onClick={() => onWrite(kind)}
          onKeyDown={onKeyDown}
          className={cx(
            'focus-inset -mb-px h-9 border-transparent border-b-2 px-3 font-medium text-ink-soft text-list hover:text-ink max-md:h-11',
            kind === 'note'
              ? 'aria-selected:border-note-ink aria-selected:text-note-ink'
              : 'aria-selected:border-accent-ink aria-selected:text-ink',
          )}
        >
          {TAB_NAMES[kind]}
        </button>
      ))}
    </div>
  );
}

const PAGE_NAMES: Record<Kind, string> = { reply: 'To the contact', note: 'To the team' };

/**
 * Tab panel. Its label differs from the label of the text box, so that the text box is found by name. Mounts
 * synchronously, so that the text box can take focus.
 */
export function ComposerPage({ kind, shown, children }: { kind: Kind; shown: Kind; children: ReactNode }) {
  return (
    <div
      role="tabpanel"
      id={pageId(kind)}
      hidden={kind !== shown}
      tabIndex={-1}
      aria-label={PAGE_NAMES[kind]}
    >
      {kind === shown ? children : null}
    </div>
  );
}

function tabId(kind: Kind): string {
  return `composer-tab-${kind}`;
}

function pageId(kind: Kind): string {
  return `composer-page-${kind}`;
}
