'use client';

import { Menu } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { MethodName } from '#app/components/docs/method-name.tsx';
import type { NavGroup } from '#app/components/docs/nav-groups.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { Sheet } from '#app/components/ui/sheet.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = { groups: NavGroup[]; onGo?: () => void };

/** Table of contents. Highlights the section in view. */
export function SectionNav({ groups, onGo }: Props) {
  const here = useSectionInView(groups);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (here) nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [here]);
  return (
    <nav ref={nav} aria-label="Contents" className="grid gap-5 p-3">
      {groups.map(({ title, items }) => (
        <div key={title} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <p className="px-2 font-medium text-ink-faint text-xs">{title}</p>
          <ul className="grid gap-px">
            {items.map(({ id, label, method }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  onClick={onGo}
                  aria-current={here === id ? 'location' : undefined}
                  className={cx(
                    'focus-inset flex min-h-7 items-center gap-2 rounded-lg px-2 py-1 text-list max-lg:min-h-11 max-lg:text-sm',
                    here === id
                      ? 'bg-accent-soft font-medium text-accent-ink'
                      : 'text-ink-soft hover:bg-hover hover:text-ink',
                  )}
                >
                  <span className="min-w-0 grow">{label}</span>
                  {method ? <MethodName method={method} small /> : null}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** A heading above this line counts as reached, in pixels from the top: below the page header. */
const READING_LINE = 120;

/** Returns the id of the last section whose heading passed the reading line. */
function useSectionInView(groups: NavGroup[]): string | undefined {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const titles = groups
      .flatMap(({ items }) => items)
      .map(({ id }) => document.getElementById(id))
      .filter((title) => title !== null);
    let frame = 0;
    const update = () => {
      frame = 0;
      const passed = titles.findLast((title) => title.getBoundingClientRect().top < READING_LINE);
      setHere((passed ?? titles[0])?.id);
    };
    const scheduleUpdate = () => {
      frame ||= requestAnimationFrame(update);
    };
    update();
    window.addEventListener('scroll', scheduleUpdate, { passive: true });
    return () => {
      window.removeEventListener('scroll', scheduleUpdate);
      cancelAnimationFrame(frame);
    };
  }, [groups]);
  return here;
}

/** Table of contents as a sheet, for narrow screens. */
export function DocsMenu({ groups }: { groups: NavGroup[] }) {
  const [open, onOpenChange] = useState(false);
  return (
    <Sheet
      control={{ open, onOpenChange }}
      trigger={<IconButton icon={Menu} label="Contents" className="lg:hidden" />}
      side="left"
      title="Contents"
      hiddenFrom="lg"
      className="w-80"
      // The target section gets the focus, not the menu button.
      onCloseAutoFocus={(event) => event.preventDefault()}
    >
      <SectionNav groups={groups} onGo={() => onOpenChange(false)} />
    </Sheet>
  );
}
