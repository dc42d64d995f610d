import type { InboxView } from '#app/lib/inbox-path.ts';
import type { FilterChoices, InboxCounts, InboxPage, OpenedView } from '#server/screens/inbox/views.ts';

/** The view that a list shows, independent of the open conversation. */
export type ListView = InboxView & { selected: undefined };

/** The first page of a list and its view. */
export type ListedInbox = { of: ListView; page: InboxPage };

/** Data of the server-rendered inbox. Counts and choices stream in later. */
export type ServedInbox = {
  list: ListedInbox;
  counts: Promise<InboxCounts>;
  choices: Promise<FilterChoices>;
  /** Null when no conversation is open. */
  opened: OpenedView | null;
};
