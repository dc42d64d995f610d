'use client';

import {
  Bot,
  CreditCard,
  Inbox,
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  Network,
  Plug,
  SlidersHorizontal,
  UserRound,
  UserRoundCog,
  UserRoundX,
  UsersRound,
  Waypoints,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import { useCloseMenu } from '#app/components/shell/top-bar.tsx';
import { cx } from '#app/lib/cx.ts';
import { formatCount } from '#app/lib/format-count.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { ViewCounts } from '#server/screens/inbox/views.ts';

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

const ICONS = {
  mine: UserRound,
  unassigned: UserRoundX,
  all: Inbox,
  contacts: UsersRound,
  integrations: Plug,
  teammates: UserRoundCog,
  teams: Network,
  workspace: SlidersHorizontal,
  agent: Bot,
  automations: Waypoints,
  chat: MessageCircle,
  channels: MessagesSquare,
  plan: CreditCard,
} satisfies Record<string, LucideIcon>;

type NavIconName = keyof typeof ICONS;

/** The sign of a line of the navigation, by a name: each page would else carry the drawing twice. */
function NavIcon({ name }: { name: NavIconName }) {
  const Icon = ICONS[name];
  return <Icon aria-hidden size={17} strokeWidth={1.75} />;
}

type InboxViewLinkProps = {
  assignee: 'me' | 'unassigned' | undefined;
  icon: NavIconName;
  children: ReactNode;
};

/** A view of the inbox in the navigation; marked while the list is this view, however it is narrowed further. */
export function InboxViewLink({ assignee, icon, children }: InboxViewLinkProps) {
  const here = usePathname() === '/inbox';
  const shown = useSearchParams().get('assignee') ?? undefined;
  const href = inboxPath({ status: 'open', selected: undefined, assignee });
  return (
    // Not fetched ahead: each live message would fetch all of them again.
    <NavLink
      href={href}
      icon={icon}
      here={here && shown === assignee}
      prefetch={false}
      onNavigate={(event) => {
        if (!here) return;
        event.preventDefault();
        showInbox(href);
      }}
    >
      {children}
    </NavLink>
  );
}

/** How many open conversations a view of the inbox holds, for the navigation. */
export function LiveCount({ view, served }: { view: keyof ViewCounts; served: ViewCounts }) {
  const screens = useScreens();
  const { data: counts = served } = useServedQuery(
    {
      queryKey: ['conversations', 'viewCounts'] as const,
      queryFn: ({ signal }) => screens.inbox.viewCounts.query(undefined, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    },
    served,
  );
  return (
    <span className="tabular text-xs">
      {formatCount(counts[view])}
      <span className="sr-only"> open</span>
    </span>
  );
}
