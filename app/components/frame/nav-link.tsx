'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useCloseMenu } from '#app/components/frame/close-menu.ts';
import { cx } from '#app/lib/cx.ts';

/** A line of the navigation; the part one is in is marked. */
export function NavLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  const pathname = usePathname();
  const closeMenu = useCloseMenu();
  const here = pathname === href || pathname.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      onNavigate={closeMenu}
      aria-current={here ? 'page' : undefined}
      className={cx(
        'focus-inset flex h-8 items-center gap-2.5 rounded-lg px-2 text-list max-md:h-11 max-md:text-sm',
        here ? 'bg-accent-soft font-semibold text-accent-ink' : 'text-ink-soft hover:bg-hover hover:text-ink',
      )}
    >
      {icon}
      {children}
    </Link>
  );
}
