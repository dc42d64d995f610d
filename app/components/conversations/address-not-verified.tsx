import { ShieldQuestionMark } from 'lucide-react';
import { Badge } from '#app/components/ui/badge.tsx';

const WORDS = 'Address not verified';

/** Says beside the name of a contact that a visitor gave the address and it is not verified. */
export function AddressNotVerified() {
  return (
    <Badge tone="note">
      <ShieldQuestionMark aria-hidden size={12} className="shrink-0" />
      <span className="truncate">{WORDS}</span>
    </Badge>
  );
}

/** The same where a row has room for a sign alone. */
export function AddressNotVerifiedSign() {
  return (
    <span title={WORDS} className="inline-flex shrink-0 self-center text-note-ink">
      <ShieldQuestionMark aria-hidden size={14} />
      <span className="sr-only">{WORDS}</span>
    </span>
  );
}
