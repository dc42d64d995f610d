import { change } from '#app/components/live/page-data.ts';
import type { Enclosures } from '#server/screens/inbox/composer-views.ts';

/** `solves` also solves the conversation once the reply is sent. `sendAt` sends it later. `seen`: ids of what the writer has seen. */
type Reply = {
  conversationId: string;
  id: string;
  content: string;
  solves: boolean;
  sendAt: Date | undefined;
  seen: string[];
  /** Address of the author to answer instead of the contact. */
  answers?: string;
  suggestedId: string | undefined;
  /** Version of the shared draft that it was, which is emptied. */
  draftVersion: number | undefined;
} & Enclosures;

/** Schedules a reply, unless something was added that its writer has not seen. */
export const scheduleReply = change(({ composer }, reply: Reply) => composer.reply.mutate(reply));

/** Cancels a scheduled or failed reply and returns its content, files and copies. */
export const cancelReply = change(({ composer }, id: string) => composer.cancelReply.mutate({ id }));

export const addNote = change(
  ({ notes }, note: { conversationId: string; id: string; content: string; files: Enclosures['files'] }) =>
    notes.add.mutate(note),
);
