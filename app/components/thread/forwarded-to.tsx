import { Forward } from 'lucide-react';
import { pluralize } from '#app/lib/format-count.ts';
import type { ForwardView } from '#server/screens/inbox/thread-views.ts';

/** Distinguishes a forward from messages to the contact. */
export function ForwardedTo({ forward: { to, filesCount } }: { forward: ForwardView }) {
  return (
    <p className="text-ink-soft text-xs [overflow-wrap:anywhere]">
      <Forward aria-hidden size={12} className="mr-1 inline-block align-[-1px]" />
      Forwarded to <bdi>{to}</bdi>
      {filesCount > 0 ? ` with ${pluralize(filesCount, 'file')}` : ''}
    </p>
  );
}
