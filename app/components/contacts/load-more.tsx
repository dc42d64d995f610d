'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import type { LoadingState } from '#app/components/live/use-live-list.ts';
import { Button } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { pluralize } from '#app/lib/format-count.ts';

/** How far below the screen the end of the list may be when more is asked for, in CSS pixels. */
const AHEAD = '600px';

type Props = {
  /** The id of the words at the end, for the keyboard to go on from. */
  id: string;
  /** What one row is, `contact`, and what several are where that is no `s` more. */
  one: string;
  many?: string;
  shown: number;
  hasMore: boolean;
  isFetching: boolean;
  state: LoadingState;
  loadMore: () => Promise<void>;
};

/** The end of a list: loads on when it comes near, or by its button, and says when there is no more. */
export function LoadMore({ id, one, many, shown, hasMore, isFetching, state, loadMore }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const reach = useEffectEvent(() => void loadMore());
  const waits = hasMore && !isFetching && state === 'idle';
  // Watched again after each page: one that leaves the end in sight asks for the next.
  useEffect(() => {
    if (!waits || !end.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && reach(), {
      rootMargin: AHEAD,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [waits]);
  return (
    <div ref={end} className="grid justify-items-center gap-2 p-3">
      {state === 'failed' ? <FieldError>More could not be loaded.</FieldError> : null}
      {hasMore ? (
        <Button variant="quiet" aria-busy={state === 'loading'} onClick={() => void loadMore()}>
          {state === 'loading' ? 'Loading' : state === 'failed' ? 'Try again' : 'Load more'}
        </Button>
      ) : (
        <p id={id} tabIndex={-1} className="text-ink-faint text-xs">
          {pluralize(shown, one, many)}
        </p>
      )}
      <FocusWhenLost on={shown} goTo={id} />
    </div>
  );
}
