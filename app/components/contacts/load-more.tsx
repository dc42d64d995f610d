'use client';

import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useRef } from 'react';
import { isPageRefused } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { pluralize } from '#app/lib/format-count.ts';

/** Distance of the list's end from the viewport, in CSS pixels, at which the next page loads. */
const PRELOAD_MARGIN = '600px';

type Props = {
  /** Id of the end text, which takes the focus when the button disappears. */
  id: string;
  /** Singular noun for a row, and its plural where that is irregular. */
  one: string;
  many?: string;
  shown: number;
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
};

/** The end of a list: loads the next page when scrolled near or by its button, and shows the total at the end. */
export function LoadMore({ id, one, many, shown, query }: Props) {
  const router = useRouter();
  const { hasNextPage, isFetching, isFetchingNextPage: loading, isFetchNextPageError: failed } = query;
  const end = useRef<HTMLDivElement>(null);
  const loadMore = async () => {
    if (!hasNextPage || isFetching) return;
    const { error } = await query.fetchNextPage();
    if (isPageRefused(error)) router.refresh();
  };
  const onReach = useEffectEvent(() => void loadMore());
  const canLoad = hasNextPage && !isFetching && !failed;
  // Observe again after each page, because a short page leaves the end in view.
  useEffect(() => {
    if (!canLoad || !end.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onReach(), {
      rootMargin: PRELOAD_MARGIN,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canLoad]);
  return (
    <div ref={end} className="grid justify-items-center gap-2 p-3">
      {failed ? <FieldError>Could not load more.</FieldError> : null}
      {hasNextPage ? (
        <Button variant="quiet" aria-busy={loading} onClick={() => void loadMore()}>
          {loading ? 'Loading' : failed ? 'Try again' : 'Load more'}
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
