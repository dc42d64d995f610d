'use client';

import { ChevronRight, Search } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { findPages } from '#app/components/shell/find-pages.ts';
import type { SettingsGroup, SettingsPage } from '#app/components/shell/pages.ts';
import { NavLink, useCloseMenu } from '#app/components/view/nav-link.tsx';
import { isComposing } from '#app/lib/is-composing.ts';

/** Settings in groups that unfold. The group of the open page is unfolded. A search shows the pages that match. */
export function SettingsLinks({ groups }: { groups: SettingsGroup[] }) {
  const [search, setSearch] = useState('');
  const found = findPages(groups, search);
  return (
    <div className="grid gap-1 low:gap-0.5">
      <p id="nav-settings" className="px-2 font-medium text-ink-faint text-xs">
        Settings
      </p>
      <SettingsSearch search={search} first={found?.[0]} onSearch={setSearch} />
      <ul aria-labelledby="nav-settings" className="grid gap-0.5 low:gap-0">
        {found === null ? (
          groups.map((group) => (
            <li key={group.name}>
              <GroupLinks group={group} />
            </li>
          ))
        ) : found.length === 0 ? (
          <li className="px-2 py-1 text-ink-soft text-list">No setting found</li>
        ) : (
          found.map((page) => <PageItem key={page.href} page={page} />)
        )}
      </ul>
    </div>
  );
}

type SearchProps = { search: string; first: SettingsPage | undefined; onSearch: (search: string) => void };

/** Enter opens the first match, Escape clears the field. */
function SettingsSearch({ search, first, onSearch }: SearchProps) {
  const router = useRouter();
  const closeMenu = useCloseMenu();
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape' && search !== '') {
      event.preventDefault();
      event.stopPropagation();
      onSearch('');
    }
    if (event.key !== 'Enter' || first === undefined) return;
    onSearch('');
    closeMenu();
    router.push(first.href);
  };
  return (
    <div className="relative">
      <Search
        aria-hidden
        size={15}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-faint"
      />
      <input
        type="search"
        aria-label="Find a setting"
        placeholder="Find a setting"
        autoComplete="off"
        spellCheck={false}
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        onKeyDown={onKeyDown}
        className="focus-inset h-8 w-full rounded-lg bg-transparent pr-2 pl-9 text-list placeholder:text-ink-faint hover:bg-hover low:h-6.5 max-md:h-11 max-md:text-base"
      />
    </div>
  );
}

function GroupLinks({ group: { name, pages } }: { group: SettingsGroup }) {
  const pathname = usePathname();
  const isHere = pages.some(({ href }) => pathname === href || pathname.startsWith(`${href}/`));
  const [isOpen, setIsOpen] = useState(isHere);
  useEffect(() => {
    if (isHere) setIsOpen(true);
  }, [isHere]);
  const only = pages.length === 1 ? pages[0] : undefined;
  if (only) return <PageLink page={only} />;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)} className="group">
      <summary className="focus-inset flex h-8 list-none items-center gap-2.5 rounded-lg px-2 text-ink-soft text-list low:h-6.5 hover:bg-hover hover:text-ink max-md:h-11 max-md:text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={17}
          strokeWidth={1.75}
          className="shrink-0 transition-transform group-open:rotate-90"
        />
        {name}
      </summary>
      <ul aria-label={name} className="grid gap-0.5 pl-3 low:gap-0">
        {pages.map((page) => (
          <PageItem key={page.href} page={page} />
        ))}
      </ul>
    </details>
  );
}

function PageItem({ page }: { page: SettingsPage }) {
  return (
    <li>
      <PageLink page={page} />
    </li>
  );
}

function PageLink({ page: { href, icon, name } }: { page: SettingsPage }) {
  return (
    <NavLink href={href} icon={icon}>
      {name}
    </NavLink>
  );
}
