'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { composer } from '#app/components/drafts/drafts.ts';
import type { Viewer } from '#app/components/live/page-data.ts';
import { whenIdle } from '#app/components/ui/when-idle.ts';

/** Time in which an opened conversation and its parts are shown, in ms. */
const SHOWN_MS = 1_000;

const load = () => import('#app/components/inbox/stored-threads.ts');

type Props = { viewer: Viewer; workspaces: { id: string; role: string; seesAll: boolean }[] };

/** Stores the conversations that the teammate opens on this device, and restores them. Renders nothing. */
export function StoredThreads({ viewer, workspaces }: Props) {
  const queries = useQueryClient();
  const session = JSON.stringify({ ...viewer, workspaces });
  useEffect(() => {
    const stop = new AbortController();
    const before = composer.lastSignOut();
    const isEnded = () => stop.signal.aborted || composer.lastSignOut() !== before;
    const cancel = whenIdle(() => {
      const started = load().then(({ followThreads }) =>
        followThreads(queries, { session, signal: stop.signal, isEnded, whenIdle, whenShown }),
      );
      // Without storage, as in a private window, every conversation is fetched.
      started.catch(() => undefined);
    });
    return () => {
      cancel();
      stop.abort();
    };
  }, [queries, session]);
  return null;
}

function whenShown(work: () => void): void {
  setTimeout(() => whenIdle(work), SHOWN_MS);
}

/** Removes what this device has stored about the teammate: drafts, recent commands, conversations, shared content, and the count on the app's icon. */
export async function forgetTeammate(): Promise<void> {
  composer.signOut();
  if ('clearAppBadge' in navigator) navigator.clearAppBadge().catch(() => undefined);
  await load()
    .then(({ forgetStored }) => forgetStored())
    .catch(() => undefined);
}
