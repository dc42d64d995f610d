'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { tagTints } from '#app/components/conversations/tag-tints.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';

/** Loads the colours of tags. Tags are shown before, without colours, and do not move. */
export function TagTintsLoader() {
  const screens = useScreens();
  const { data } = useQuery({
    queryKey: ['tag-tints'],
    queryFn: ({ signal }) => screens.conversations.tagTints.query(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (data) tagTints.setState(data, true);
  }, [data]);
  return null;
}
