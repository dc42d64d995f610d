'use client';

import type { ComponentProps } from 'react';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { exactTime } from '#app/lib/format-time.ts';

type Props = Omit<ComponentProps<'time'>, 'dateTime' | 'title'> & { at: Date };

/** A time in words; the exact one on hover, which is only written then: a list has a hundred times. */
export function ExactOnHover({ at, ...rest }: Props) {
  const { timeZone } = useNow();
  return (
    <time
      dateTime={at.toISOString()}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = exactTime(at, timeZone);
      }}
      {...rest}
    />
  );
}
