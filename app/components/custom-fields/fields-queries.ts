import { queryOptions } from '@tanstack/react-query';
import type { Subject } from '#app/components/custom-fields/actions.ts';
import type { ScreensClient } from '#app/components/live/page-data.ts';

/** The fields of the workspace. A change of them refetches everything. */
export function fieldsQuery(screens: ScreensClient) {
  return queryOptions({
    queryKey: ['fields'] as const,
    queryFn: ({ signal }) => screens.fields.list.query(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The values of a contact or conversation, which change with the conversations of the workspace. */
export function fieldValuesQuery(screens: ScreensClient, { subject, id }: Subject) {
  return queryOptions({
    queryKey: ['conversations', 'field-values', subject, id] as const,
    queryFn: ({ signal }) =>
      subject === 'contact'
        ? screens.fields.ofContact.query({ id }, { signal })
        : screens.fields.ofConversation.query({ id }, { signal }),
  });
}
