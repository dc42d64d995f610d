'use client';

import { lazy, Suspense } from 'react';
import { usePresent } from '#app/components/live/presence.ts';

/** Loaded when a teammate is present. */
const PresenceHints = lazy(() => import('#app/components/live/presence-hints.tsx'));

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
  return (
    <Suspense fallback={null}>
      <PresenceHints present={present} compact={compact} />
    </Suspense>
  );
}
