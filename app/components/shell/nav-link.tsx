'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useCloseMenu } from '#app/components/shell/close-menu.ts';
import { NavIcon, type NavIconName } from '#app/components/shell/nav-icon.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = {
  href: string;
  icon: NavIconName;
  here?: boolean;
  prefetch?: false;
  onNavigate?: ComponentProps<typeof Link>['onNavigate'];
  children: ReactNode;
};

/**
 * A line of the navigation; the part one is in is marked: by its path, unless `here` says it. Its page is fetched once
 * someone is about to open it: each page shows ten such lines, whose pages would come before what is pressed there.
 */
export function NavLink({ href, icon, here: given, prefetch, onNavigate, children }: Props) {
  const pathname = usePathname();
  const closeMenu = useCloseMenu();
  const [isMeant, setIsMeant] = useState(false);
  const mean = () => setIsMeant(true);
  const here = given ?? (pathname === href || pathname.startsWith(`${href}/`));
  return (
    <Link
      href={href}
      onNavigate={(event) => {
        closeMenu();
        onNavigate?.(event);
      }}
      prefetch={isMeant && prefetch !== false ? 'auto' : false}
      onMouseEnter={mean}
      onFocus={mean}
      onTouchStart={mean}
      aria-current={here ? 'page' : undefined}
      className={cx(
        'focus-inset flex h-8 items-center gap-2.5 rounded-lg px-2 text-list max-md:h-11 max-md:text-sm',
        here ? 'bg-accent-soft font-semibold text-accent-ink' : 'text-ink-soft hover:bg-hover hover:text-ink',
      )}
    >
      <NavIcon name={icon} />
      {children}
    </Link>
  );
}
