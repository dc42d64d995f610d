import { useQuery } from '@tanstack/react-query';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import type { ConversationView } from '#server/screens/inbox/views.ts';

/** The conversation whose contact has the history. */
export type HistoryOf = Pick<ConversationView, 'id' | 'items'>;

/** Queries what else happened with the contact of a conversation. Components that call it share one request. */
export function useContactHistory({ id, items }: HistoryOf) {
  const screens = useScreens();
  return useQuery({
    // A new message changes the history. Other conversations may be older than a live event.
    queryKey: ['contact-history', id, items.at(-1)?.id],
    queryFn: ({ signal }) => screens.conversations.contactHistory.query({ id }, { signal }),
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
  });
}
