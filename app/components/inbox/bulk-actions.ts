'use server';

import { action } from '#app/data/action.ts';
import type { BulkChange, ValuesBefore } from '#server/screens/inbox/views.ts';

/** Changes conversations and returns those that were changed and skipped. */
export const changeConversations = action(null, ({ bulk }, ids: string[], change: BulkChange) =>
  bulk.change({ ids, change }),
);

/** Restores the values before a change. */
export const undoChange = action(null, ({ bulk }, before: ValuesBefore[], change: BulkChange) =>
  bulk.undo({ before, change }),
);
