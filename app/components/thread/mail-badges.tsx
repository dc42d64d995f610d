import { Bot, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#app/components/ui/badge.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import type { MailView } from '#server/screens/inbox/thread-views.ts';

const SENDER_BADGES: Record<MailView['sender'], { label: string; why: string } | null> = {
  verified: null,
  not_verified: { label: 'Sender not verified', why: 'This email failed its sender check.' },
  unknown: { label: 'Sender could not be verified', why: 'The sender of this email could not be checked.' },
};

/** Badges for automatic emails and unverified senders. `author`: the name that the email claims. */
export function MailBadges({ mail, author }: { mail: MailView; author: string }) {
  const sender = SENDER_BADGES[mail.sender];
  return (
    <>
      {mail.isAutomatic ? (
        <Badge>
          <Bot aria-hidden size={12} className="shrink-0" />
          Automatic
        </Badge>
      ) : null}
      {sender === null ? null : <SenderBadge {...sender} author={author} />}
    </>
  );
}

/** A badge that explains itself when it is pressed. */
function SenderBadge({ label, why, author }: { label: string; why: string; author: string }) {
  const [open, onOpenChange] = useState(false);
  return (
    <Popover
      control={{ open, onOpenChange }}
      trigger={
        <button type="button" className="inline-flex max-w-full rounded-md">
          <Badge tone="note">
            <ShieldAlert aria-hidden size={12} className="shrink-0" />
            {label}
          </Badge>
        </button>
      }
      aria-label={label}
      align="start"
      className="z-40 w-72 p-3 text-list [overflow-wrap:anywhere]"
    >
      {why} It may not be from <bdi>{author}</bdi>.
    </Popover>
  );
}
