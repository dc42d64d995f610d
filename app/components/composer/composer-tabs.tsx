import type { KeyboardEvent, ReactNode } from 'react';
import type { Kind } from '#app/components/composer/use-composer.ts';

const TAB_NAMES: Record<Kind, string> = { reply: 'Reply', note: 'Note' };
/** To which tab a key leads; there are two. */
const KEYS: Record<string, (shown: Kind) => Kind> = {
  ArrowLeft: (shown) => (shown === 'reply' ? 'note' : 'reply'),
  ArrowRight: (shown) => (shown === 'reply' ? 'note' : 'reply'),
  Home: () => 'reply',
  End: () => 'note',
};

type TabsProps = { shown: Kind; onShow: (kind: Kind) => void; onWrite: (kind: Kind) => void };

/**
 * Chosen with a click, or by a shortcut, a tab puts the keyboard into its text box; arrow keys only show it. Pressing alone
 * does nothing yet: the composer may change its height, and the click would miss the tab.
 */
export function ComposerTabs({ shown, onShow, onWrite }: TabsProps) {
  const walk = (event: KeyboardEvent<HTMLElement>) => {
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
          onKeyDown={walk}
          className="focus-inset -mb-px h-9 border-transparent border-b-2 px-3 font-medium text-ink-soft text-list hover:text-ink aria-selected:border-accent-ink aria-selected:text-ink max-md:h-11"
        >
          {TAB_NAMES[kind]}
        </button>
      ))}
    </div>
  );
}

const PAGE_NAMES: Record<Kind, string> = { reply: 'To the contact', note: 'To the team' };

/**
 * What a tab shows. Not named like its text box, which is what one looks for; and drawn in the very moment it is shown,
 * so that the keyboard finds the box.
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
