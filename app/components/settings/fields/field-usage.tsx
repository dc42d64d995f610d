'use client';

import { useQuery } from '@tanstack/react-query';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { countedWords, pluralize } from '#app/lib/format-count.ts';
import type { CustomField, FieldUsage } from '#server/screens/fields/views.ts';

type Usage = { usage: FieldUsage | undefined; error: Error | null };

/** Counts the values of a field while `isAsked`. */
export function useFieldUsage(id: string, isAsked: boolean): Usage {
  const screens = useScreens();
  const { data, error } = useQuery({
    queryKey: ['conversations', 'field-usage', id],
    queryFn: ({ signal }) => screens.fields.usage.query({ id }, { signal }),
    enabled: isAsked,
  });
  return { usage: data, error };
}

/** Says how many values the deletion of a field removes. */
export function RemovedValues({ field: { id, subject } }: { field: CustomField }) {
  const { usage, error } = useFieldUsage(id, true);
  if (error) return <FieldError>{queryErrorMessage(error)}</FieldError>;
  if (!usage) return <p role="status">Counting values…</p>;
  const { values, savedReplies } = usage;
  return (
    <>
      <p>
        {values.count === 0
          ? `No ${subject} has a value.`
          : `${countedWords(values, subject)} will lose ${values.count === 1 ? 'its value' : 'their values'}.`}
      </p>
      {savedReplies === 0 ? null : (
        <p>
          {pluralize(savedReplies, 'saved reply', 'saved replies')}{' '}
          {savedReplies === 1 ? 'uses it, and keeps' : 'use it, and keep'} the fallback instead.
        </p>
      )}
    </>
  );
}
