'use client';

import { usePresent } from '#app/components/live/presence.ts';
import { lazyPart } from '#app/components/ui/lazy-part.tsx';

const PresenceHints = lazyPart(() => import('#app/components/live/presence-hints.tsx'));

/** Shows which other teammates have a conversation open. Renders nothing without them. */
export function PresenceOf({
  conversationId,
  compact = false,
}: {
  conversationId: string;
  compact?: boolean;
}) {
  const present = usePresent(conversationId);
  if (present.length === 0) return null;
  return <PresenceHints present={present} compact={compact} />;
}
