'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchInboxAgain, fetchInboxRows, joinPages } from '#app/lib/fetch-inbox-rows.ts';
import type { InboxView } from '#app/lib/inbox-path.ts';
import type { InboxPage } from '#server/inbox/conversations/views.ts';

/** Rows further down than this are not fetched anew when something changes; they stay as they were loaded. */
const FRESH_MAX = 900;

type Given = { first: InboxPage; view: InboxView; workspaceId: string };

/**
 * The rows of a list that was scrolled: the first page as the server renders it, and what was loaded after it. Each
 * time the server has rendered a new first page (something changed), the loaded ones are fetched anew as well, so that
 * a conversation that moved, came or went does so everywhere, and what is on screen stays where it is.
 */
export function useInboxRows({ first, view, workspaceId }: Given) {
  const router = useRouter();
  const [loaded, setLoaded] = useState<InboxPage | null>(null);
  const [state, setState] = useState<'still' | 'loading' | 'failed'>('still');
  const page = loaded ?? first;
  const latest = useRef({ page, view, workspaceId });
  const work = useRef({ busy: false, stale: false });
  useEffect(() => {
    latest.current = { page, view, workspaceId };
  });

  /** One thing at a time: two answers at once could overtake each other. */
  const alone = useCallback(async (load: () => Promise<unknown>) => {
    work.current.busy = true;
    await load();
    work.current.busy = false;
  }, []);

  const freshen = useCallback(async () => {
    do {
      work.current.stale = false;
      await alone(async () => {
        const { page: before, ...at } = latest.current;
        const rows = Math.min(before.rows.length, FRESH_MAX);
        try {
          const fresh = await fetchInboxAgain({ ...at, rows });
          setLoaded(before.rows.length > FRESH_MAX ? joinPages(fresh, before) : fresh);
        } catch {
          // The rows stay as they are; the next news tries again.
        }
      });
    } while (work.current.stale);
  }, [alone]);

  const loadMore = useCallback(async () => {
    const { page: before, ...at } = latest.current;
    if (work.current.busy || !before.nextCursor) return;
    setState('loading');
    await alone(async () => {
      try {
        const next = await fetchInboxRows({ ...at, cursor: before.nextCursor });
        setLoaded(joinPages(before, next));
        setState('still');
      } catch {
        setState('failed');
        // Another workspace may be open by now, or nobody signed in: then the page itself must change.
        router.refresh();
      }
    });
    if (work.current.stale) await freshen();
  }, [router, alone, freshen]);

  const known = useRef(first);
  const isLong = loaded !== null;
  useEffect(() => {
    if (known.current === first) return;
    known.current = first;
    if (work.current.busy) work.current.stale = true;
    else if (isLong) void freshen();
  }, [first, isLong, freshen]);

  return { ...page, loading: state === 'loading', failed: state === 'failed', loadMore };
}
