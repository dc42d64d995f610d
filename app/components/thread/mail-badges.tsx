import { Bot, ShieldAlert } from 'lucide-react';
import { Badge } from '#app/components/ui/badge.tsx';
import type { MailView } from '#server/screens/inbox/thread-views.ts';

const SENDER_BADGES: Record<MailView['sender'], string | null> = {
  verified: null,
  not_verified: 'Sender not verified',
  unknown: 'Sender could not be verified',
};

/** Badges for automatic emails and unverified senders. */
export function MailBadges({ mail }: { mail: MailView }) {
  const sender = SENDER_BADGES[mail.sender];
  return (
    <>
      {mail.isAutomatic ? (
        <Badge>
          <Bot aria-hidden size={12} className="shrink-0" />
          Automatic
        </Badge>
      ) : null}
      {sender === null ? null : (
        <Badge tone="note">
          <ShieldAlert aria-hidden size={12} className="shrink-0" />
          {sender}
        </Badge>
      )}
    </>
  );
}
