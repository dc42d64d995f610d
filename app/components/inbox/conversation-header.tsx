import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { DetailsToggle } from '#app/components/inbox/details-pane.tsx';
import type { ConversationView } from '#server/conversations/views.ts';

type Props = { conversation: ConversationView; backHref: string };

/** What the conversation is about and where it stands; where there is room for one pane only, the way back. */
export function ConversationHeader({ conversation, backHref }: Props) {
  const channel = channels[conversation.channel];
  const contactName = conversation.contactName ?? 'Unknown contact';
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b pr-2 pl-5 max-lg:pl-1">
      <Link
        href={backHref}
        aria-label="Back to the list"
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-hover lg:hidden"
      >
        <ArrowLeft aria-hidden size={20} strokeWidth={1.75} />
      </Link>
      <div className="grid min-w-0 grow">
        <h2 id="conversation-title" className="truncate">
          <bdi>{conversation.subject ?? contactName}</bdi>
        </h2>
        <p className="flex min-w-0 items-center gap-2 text-ink-soft text-list">
          <ConversationStatusDot status={conversation.status} />
          <span aria-hidden>·</span>
          <span className="truncate">
            {channel.name}
            {conversation.subject ? ` with ${contactName}` : ''}
          </span>
        </p>
      </div>
      <DetailsToggle />
    </header>
  );
}
