'use client';

import { useEffect, useRef } from 'react';
import { MethodName } from '#app/components/docs/method-name.tsx';
import type { NavGroup } from '#app/components/docs/nav-groups.ts';
import { useSectionInView } from '#app/components/docs/use-section-in-view.ts';
import { cx } from '#app/lib/cx.ts';

type Props = { groups: NavGroup[]; onGo?: () => void };

/** The contents of the page; where one reads is marked. */
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
