import { change } from '#app/components/live/page-data.ts';
import type { BulkChange, ValuesBefore } from '#server/screens/inbox/views.ts';

/** Changes conversations and returns those that were changed and skipped. */
export const changeConversations = change(({ bulk }, ids: string[], change: BulkChange) =>
  bulk.change.mutate({ ids, change }),
);

/** Restores the values before a change. */
export const undoChange = change(({ bulk }, before: ValuesBefore[], change: BulkChange) =>
  bulk.undo.mutate({ before, change }),
);
