'use client';

import {
  Ban,
  Bell,
  Bookmark,
  Bot,
  CalendarClock,
  ChartColumn,
  CircleAlert,
  CircleUserRound,
  Clock,
  CodeXml,
  CreditCard,
  Eye,
  Inbox,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  MessagesSquare,
  Network,
  Plug,
  ScrollText,
  Send,
  SlidersHorizontal,
  Tags,
  TextCursorInput,
  Trash2,
  UserRound,
  UserRoundCog,
  UserRoundX,
  UsersRound,
  Waypoints,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { createContext, memo, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { showInbox } from '#app/components/view/inbox-view.tsx';
import { cx } from '#app/lib/cx.ts';
import { formatCount } from '#app/lib/format-count.ts';
import type { ShownCount } from '#server/screens/inbox/views.ts';

/** Closes the menu on phones. A no-op in the sidebar. */
export const CloseMenuContext = createContext<() => void>(() => {});

export function useCloseMenu(): () => void {
  return useContext(CloseMenuContext);
}

type Props = {
  href: string;
  icon: NavIconName;
  /** Given for a view of the inbox, which the inbox shows without a page request. */
  here?: boolean;
  children: ReactNode;
};

/**
 * Navigation entry, current by its path unless `here` is given. Prefetches on hover or focus only: every page has about
 * ten entries, whose prefetches would delay the requested page. Views are never prefetched: each live message would
 * refetch all of them. Memoized, because a page can have about 80 views.
 */
export const NavLink = memo(function NavLink({ href, icon, here: given, children }: Props) {
  const pathname = usePathname();
  const closeMenu = useCloseMenu();
  const [isLikely, setIsLikely] = useState(false);
  const onIntent = () => setIsLikely(true);
  const isView = given !== undefined;
  const here = given ?? (pathname === href || pathname.startsWith(`${href}/`));
  const link = useRef<HTMLAnchorElement>(null);
  // The current entry can be below the fold of a long navigation, also because views arrive above it later.
  useEffect(() => {
    const nav = here ? link.current?.closest('nav') : null;
    if (!nav) return;
    const show = () => link.current?.scrollIntoView({ block: 'nearest' });
    show();
    const resized = new ResizeObserver(() => {
      // A teammate who unfolds views looks at those.
      if (!nav.matches(':hover, :focus-within')) show();
    });
    resized.observe(nav);
    return () => resized.disconnect();
  }, [here]);
  return (
    <Link
      ref={link}
      href={href}
      onNavigate={(event) => {
        closeMenu();
        if (!isView || pathname !== '/inbox') return;
        event.preventDefault();
        showInbox(href);
      }}
      prefetch={isLikely && !isView ? 'auto' : false}
      onMouseEnter={onIntent}
      onFocus={onIntent}
      onTouchStart={onIntent}
      aria-current={here ? 'page' : undefined}
      className={cx(
        'focus-inset flex h-8 items-center gap-2.5 rounded-lg px-2 text-list low:h-6.5 max-md:h-11 max-md:text-sm',
        here ? 'bg-accent-soft font-semibold text-accent-ink' : 'text-ink-soft hover:bg-hover hover:text-ink',
      )}
    >
      <NavIcon name={icon} />
      {children}
    </Link>
  );
});

const ICONS = {
  account: CircleUserRound,
  notifications: Bell,
  mine: UserRound,
  unassigned: UserRoundX,
  unread: Mail,
  all: Inbox,
  failed: CircleAlert,
  scheduled: CalendarClock,
  snoozed: Clock,
  spam: Ban,
  deleted: Trash2,
  contacts: UsersRound,
  reports: ChartColumn,
  integrations: Plug,
  teammates: UserRoundCog,
  teams: Network,
  savedView: Bookmark,
  visibility: Eye,
  hours: CalendarClock,
  workspace: SlidersHorizontal,
  agent: Bot,
  automations: Waypoints,
  fields: TextCursorInput,
  tags: Tags,
  savedReplies: MessageSquareText,
  chat: MessageCircle,
  channels: MessagesSquare,
  developers: CodeXml,
  audit: ScrollText,
  outbox: Send,
  plan: CreditCard,
} satisfies Record<string, LucideIcon>;

export type NavIconName = keyof typeof ICONS;

/** Icon by name. Passing icons as elements would put each one twice into the page's payload. */
function NavIcon({ name }: { name: NavIconName }) {
  const Icon = ICONS[name];
  return <Icon aria-hidden size={17} strokeWidth={1.75} className="shrink-0" />;
}

/** Number of conversations, unless it is unknown. `words` follow it for screen readers. */
export function Count({ of, words }: { of: ShownCount; words: string }) {
  const number = formatCount(of);
  if (number === '') return null;
  return (
    <span className="tabular text-xs">
      {number}
      <span className="sr-only">{words}</span>
    </span>
  );
}
