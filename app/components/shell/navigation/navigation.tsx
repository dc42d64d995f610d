import {
  Bot,
  CreditCard,
  MessageCircle,
  MessagesSquare,
  Network,
  Plug,
  SlidersHorizontal,
  UserRoundCog,
  UsersRound,
  Waypoints,
} from 'lucide-react';
import { InboxViews } from '#app/components/shell/navigation/inbox-views.tsx';
import { NavLink } from '#app/components/shell/navigation/nav-link.tsx';

/** The parts of the service. */
export function Navigation({ managesChannels }: { managesChannels: boolean }) {
  return (
    <nav aria-label="Main" className="grid gap-5 p-2">
      <InboxViews />
      <ul className="grid gap-0.5">
        <li>
          <NavLink href="/contacts" icon={<UsersRound aria-hidden size={17} strokeWidth={1.75} />}>
            Contacts
          </NavLink>
        </li>
      </ul>
      <div className="grid gap-1">
        <p id="nav-settings" className="px-2 font-medium text-ink-faint text-xs">
          Settings
        </p>
        <ul aria-labelledby="nav-settings" className="grid gap-0.5">
          <li>
            <NavLink href="/settings/integrations" icon={<Plug aria-hidden size={17} strokeWidth={1.75} />}>
              Integrations
            </NavLink>
          </li>
          <li>
            <NavLink
              href="/settings/teammates"
              icon={<UserRoundCog aria-hidden size={17} strokeWidth={1.75} />}
            >
              Teammates
            </NavLink>
          </li>
          <li>
            <NavLink href="/settings/teams" icon={<Network aria-hidden size={17} strokeWidth={1.75} />}>
              Teams
            </NavLink>
          </li>
          <li>
            <NavLink
              href="/settings/workspace"
              icon={<SlidersHorizontal aria-hidden size={17} strokeWidth={1.75} />}
            >
              Workspace
            </NavLink>
          </li>
          <li>
            <NavLink href="/settings/ai-agent" icon={<Bot aria-hidden size={17} strokeWidth={1.75} />}>
              AI agent
            </NavLink>
          </li>
          <li>
            <NavLink href="/settings/flows" icon={<Waypoints aria-hidden size={17} strokeWidth={1.75} />}>
              Automations
            </NavLink>
          </li>
          <li>
            <NavLink
              href="/settings/web-chat"
              icon={<MessageCircle aria-hidden size={17} strokeWidth={1.75} />}
            >
              Web chat
            </NavLink>
          </li>
          {managesChannels ? (
            <li>
              <NavLink
                href="/settings/channels"
                icon={<MessagesSquare aria-hidden size={17} strokeWidth={1.75} />}
              >
                Channels
              </NavLink>
            </li>
          ) : null}
          <li>
            <NavLink href="/settings/plan" icon={<CreditCard aria-hidden size={17} strokeWidth={1.75} />}>
              Plan
            </NavLink>
          </li>
        </ul>
      </div>
    </nav>
  );
}
