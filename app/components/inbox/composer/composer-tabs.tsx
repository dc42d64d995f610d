import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Kind } from '#app/components/inbox/composer/use-composer.ts';

type TabProps = { kind: Kind; name: string; onWrite: (kind: Kind) => void };

/**
 * Chosen with a click, or by a shortcut, it puts the keyboard into its text box; arrow keys only show it. Pressing alone
 * does nothing yet: the composer may change its height, and the click would miss the tab.
 */
export function ComposerTab({ kind, name, onWrite }: TabProps) {
  return (
    <Tabs.Trigger
      value={kind}
      data-shortcut={kind}
      onMouseDown={(press) => press.preventDefault()}
      onClick={() => onWrite(kind)}
      className="focus-inset -mb-px h-9 border-transparent border-b-2 px-3 font-medium text-ink-soft text-list hover:text-ink data-[state=active]:border-accent-ink data-[state=active]:text-ink max-md:h-11"
    >
      {name}
    </Tabs.Trigger>
  );
}

const PAGE_NAMES: Record<Kind, string> = { reply: 'To the contact', note: 'To the team' };

/**
 * What a tab shows. Not named like its text box, which is what one looks for; and drawn in the very moment it is shown,
 * so that the keyboard finds the box.
 */
export function ComposerPage({ kind, shown, children }: { kind: Kind; shown: Kind; children: ReactNode }) {
  return (
    <Tabs.Content
      value={kind}
      forceMount
      hidden={kind !== shown}
      tabIndex={-1}
      aria-labelledby={undefined}
      aria-label={PAGE_NAMES[kind]}
    >
      {kind === shown ? children : null}
    </Tabs.Content>
  );
}
