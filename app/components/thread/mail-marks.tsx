import { Bot, ShieldAlert } from 'lucide-react';
import { Badge } from '#app/components/ui/badge.tsx';
import type { MailView } from '#server/screens/inbox/views.ts';

/** What is to be known of a mail before it is read: that a machine sent it, that its sender may be somebody else. */
export function MailMarks({ mail }: { mail: MailView }) {
  return (
    <>
      {mail.isAutomatic ? (
        <Badge>
          <Bot aria-hidden size={12} className="shrink-0" />
          Automatic
        </Badge>
      ) : null}
      {mail.isNotVerified ? (
        <Badge tone="note">
          <ShieldAlert aria-hidden size={12} className="shrink-0" />
          Sender not verified
        </Badge>
      ) : null}
    </>
  );
}
