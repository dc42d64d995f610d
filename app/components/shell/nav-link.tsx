'use client';

import {
  Ban,
  Bookmark,
  Bot,
  CircleAlert,
  Clock,
  CodeXml,
  CreditCard,
  Inbox,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  MessagesSquare,
  Network,
  Plug,
  SlidersHorizontal,
  Trash2,
  UserRound,
  UserRoundCog,
  UserRoundX,
  UsersRound,
  Waypoints,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { viewCountsQuery } from '#app/components/inbox/inbox-queries.ts';
import { useListView } from '#app/components/inbox/inbox-view.tsx';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import { useOpenSavedViews } from '#app/components/saved-views/use-saved-views.ts';
import type { ViewFilters } from '#app/components/shell/pages.ts';
import { useCloseMenu } from '#app/components/shell/top-bar.tsx';
import { cx } from '#app/lib/cx.ts';
import { formatCount } from '#app/lib/format-count.ts';
import { viewPath } from '#app/lib/inbox-path.ts';
import type { ShownCount, SidebarView, ViewCounts } from '#server/screens/inbox/views.ts';

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
  mine: UserRound,
  unassigned: UserRoundX,
  unread: Mail,
  all: Inbox,
  failed: CircleAlert,
  snoozed: Clock,
  spam: Ban,
  deleted: Trash2,
  contacts: UsersRound,
  integrations: Plug,
  teammates: UserRoundCog,
  teams: Network,
  savedView: Bookmark,
  workspace: SlidersHorizontal,
  agent: Bot,
  automations: Waypoints,
  savedReplies: MessageSquareText,
  chat: MessageCircle,
  channels: MessagesSquare,
  developers: CodeXml,
  plan: CreditCard,
} satisfies Record<string, LucideIcon>;

export type NavIconName = keyof typeof ICONS;

/** Icon by name. Passing icons as elements would put each one twice into the page's payload. */
function NavIcon({ name }: { name: NavIconName }) {
  const Icon = ICONS[name];
  return <Icon aria-hidden size={17} strokeWidth={1.75} />;
}

type InboxViewLinkProps = ViewFilters & { icon: NavIconName; children: ReactNode };

/** Link to a view of the inbox. Stays current under further filters, except that teams and saved views have their own links. */
export function InboxViewLink(props: InboxViewLinkProps) {
  const { assignee, reply, snoozed, unread, team, icon, children } = props;
  // Named, because props that are undefined do not arrive from the server.
  const own = { assignee, reply, snoozed, unread };
  const filters = { ...own, team };
  const isInbox = usePathname() === '/inbox';
  const view = useListView();
  const isSaved = useOpenSavedViews().length > 0;
  const isAnyTeam = team === undefined && Object.values(own).some((value) => value !== undefined);
  const isShown = Object.entries(isAnyTeam ? own : filters).every(
    ([name, value]) => view[name as keyof ViewFilters] === value,
  );
  return (
    <NavLink href={viewPath(filters)} icon={icon} here={isInbox && isShown && !isSaved}>
      {children}
    </NavLink>
  );
}

/** Live number of conversations in a view. */
export function LiveCount({ view, served }: { view: SidebarView; served: ViewCounts }) {
  const counts = useViewCounts(served);
  const count = counts[view];
  const noun = isOne(count) ? ' conversation' : ' conversations';
  return <Count of={count} words={view === 'failed' || view === 'snoozed' ? noun : ' open'} />;
}

function isOne({ count, more }: ShownCount): boolean {
  return count === 1 && !more;
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

/** Returns the current counts of the sidebar. */
export function useViewCounts(served: ViewCounts): ViewCounts {
  const screens = useScreens();
  const { data = served } = useServedQuery(viewCountsQuery(screens), served);
  return data;
}
