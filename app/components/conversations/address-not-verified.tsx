import { ShieldQuestionMark } from 'lucide-react';
import { Badge } from '#app/components/ui/badge.tsx';

const LABEL = 'Address not verified';

/** Badge beside the contact's name: a visitor gave this address and it is not verified. */
export function AddressNotVerified() {
  return (
    <Badge tone="note">
      <ShieldQuestionMark aria-hidden size={12} className="shrink-0" />
      <span className="truncate">{LABEL}</span>
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
