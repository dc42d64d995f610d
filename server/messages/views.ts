/** A reply that is no message yet, as everybody sees it who has the conversation open. */
export type PendingReplyView = {
  id: string;
  content: string;
  authorName: string;
  isYours: boolean;
  /** Milliseconds in which it can still be taken back. */
  msLeft: number;
  /** Why it was not sent, as a sentence; null while it is about to be. */
  problem: string | null;
};
