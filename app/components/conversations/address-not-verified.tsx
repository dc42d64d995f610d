import { ShieldQuestionMark } from 'lucide-react';
import { Badge } from '#app/components/ui/badge.tsx';

const LABEL = 'Address not verified';

/** Badge: the contact's address is not verified. */
export function AddressNotVerified({ email }: { email?: string | undefined }) {
  return (
    <Badge tone="note">
      <ShieldQuestionMark aria-hidden size={12} className="shrink-0" />
      {email ? (
        <span className="flex min-w-0 max-w-72">
          <span className="truncate">{email}</span>
          <span className="shrink-0 whitespace-pre"> · not verified</span>
        </span>
      ) : (
        <span className="truncate">{LABEL}</span>
      )}
    </Badge>
  );
}

/** Compact variant: icon only. */
export function AddressNotVerifiedIcon() {
  return (
    <span title={LABEL} className="inline-flex shrink-0 self-center text-note-ink">
      <ShieldQuestionMark aria-hidden size={14} />
      <span className="sr-only">{LABEL}</span>
    </span>
  );
}
