'use client';

import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { openedQuery } from '#app/components/view/inbox-queries.ts';
import type { OpenedView } from '#server/screens/inbox/views.ts';

type Change = {
  /** Returns the conversation as it is shown until it is fetched again. */
  show: (opened: OpenedView) => OpenedView;
  /** Saves the change, reports its outcome and fetches the conversation. Returns whether it was changed. */
  save: () => Promise<boolean>;
};

/** Shows changes of an open conversation before they are saved. A refused one disappears again. */
export function useOpenedChange(id: string) {
  const { queryKey } = openedQuery(useScreens(), id);
  const { mutate, isPending } = useMutation(openedChangeOptions(useQueryClient(), queryKey));
  return { change: mutate, isPending };
}

export function openedChangeOptions(
  queries: QueryClient,
  queryKey: ReturnType<typeof openedQuery>['queryKey'],
) {
  return mutationOptions({
    mutationFn: async ({ save }: Change) => {
      if (!(await save())) throw new Error('The conversation was not changed.');
    },
    onMutate: async ({ show }) => {
      // A response to an earlier request would hide the change.
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData(queryKey);
      queries.setQueryData(queryKey, (opened) => opened && show(opened));
      return { before };
    },
    onError: (_error, _change, context) => {
      if (context) queries.setQueryData(queryKey, context.before);
      return queries.invalidateQueries({ queryKey });
    },
  });
}

/** Shows other values of the conversation. */
export function withValues(values: Partial<OpenedView['conversation']>): Change['show'] {
  return (opened) => ({ ...opened, conversation: { ...opened.conversation, ...values } });
}
