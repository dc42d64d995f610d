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

export type NavIconName = keyof typeof ICONS;

/** The sign of a line of the navigation, by a name: each page would else carry the drawing twice. */
export function NavIcon({ name }: { name: NavIconName }) {
  const Icon = ICONS[name];
  return <Icon aria-hidden size={17} strokeWidth={1.75} />;
}
