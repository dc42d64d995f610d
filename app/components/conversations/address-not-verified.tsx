import { ShieldQuestionMark } from 'lucide-react';
import { Badge } from '#app/components/ui/badge.tsx';

const LABEL = 'Address not verified';

/** Badge: the contact's address is not verified. */
export function AddressNotVerified({ email }: { email?: string | undefined }) {
  return (
    <Badge tone="note">
      <ShieldQuestionMark aria-hidden size={12} className="shrink-0" />
      <span className="max-w-56 truncate">{email ? `${email} · not verified` : LABEL}</span>
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
