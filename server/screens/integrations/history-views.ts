/** A page of a list, newest first; `older` is the cursor of the next one, null at the end. */
export type HistoryPage<T> = { items: T[]; older: string | null };

/** A connection that ended, as the integrations screen shows it. */
export type EndedConnectionView = {
  id: string;
  teammate: { name: string; email: string };
  connectedAt: Date;
  /** Null when it was never used. */
  lastUsedAt: Date | null;
  endedAt: Date;
  why: string;
  /** What to do to have it back; null when there is nothing to do. */
  whatToDo: string | null;
};

/** One entry of the audit list. */
export type AuditEntryView = { id: string; at: Date; sentence: string };
