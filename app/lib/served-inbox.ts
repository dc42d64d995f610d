import type { InboxView } from '#app/lib/inbox-path.ts';
import type { FilterChoices, InboxCounts, InboxPage, OpenedView } from '#server/screens/inbox/views.ts';

/** The view that a list shows, independent of the open conversation. */
export type ListView = InboxView & { selected: undefined };

/** A part of a list and its view. */
export type ListPage = InboxPage & { of: ListView };

export type PageRequest = {
  /** Cursor after which the page starts. Null: the start of the list. */
  cursor: string | null;
  rows: number;
  /** Number of requests that found the rows. A list that is scanned has short pages. */
  steps: number;
  /** Asks for the page before. Null at the start of the list. */
  previous: PageRequest | null;
};

/** The loaded pages of a list. */
export type ListPages = { pages: ListPage[]; pageParams: PageRequest[] };

/** Rows of the first page: slightly more than a tall screen shows. More rows would delay the first response. */
const FIRST_ROWS = 20;
export const FIRST_REQUEST: PageRequest = { cursor: null, rows: FIRST_ROWS, steps: 1, previous: null };

/** Data of the server-rendered inbox. Counts and choices stream in later. */
export type ServedInbox = {
  of: ListView;
  list: ListPages;
  counts: Promise<InboxCounts>;
  choices: Promise<FilterChoices>;
  /** Null when no conversation is open. */
  opened: OpenedView | null;
};
