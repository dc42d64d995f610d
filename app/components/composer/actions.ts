import { change } from '#app/components/live/page-data.ts';
import type { Enclosures } from '#server/screens/inbox/composer-views.ts';

/** Sets the mailbox that sends the replies of a conversation. */
export const setMailbox = change(({ conversations }, id: string, mailboxId: string) =>
  conversations.setMailbox.mutate({ id, mailboxId }),
);

/** Sends the replies of a conversation to the Reply-To of the contact's newest email, or to the contact. */
export const chooseReplyTo = change(({ conversations }, id: string, isUsed: boolean) =>
  conversations.chooseReplyTo.mutate({ id, isUsed }),
);

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
} & Enclosures;

/** Schedules a reply, unless something was added that its writer has not seen. */
export const scheduleReply = change(({ composer }, reply: Reply) => composer.reply.mutate(reply));

/** Changes the time of a reply that is sent later. `sendAt`: null sends it now. `seen`: ids of what the page shows. */
export const rescheduleReply = change(({ composer }, id: string, sendAt: Date | null, seen: string[]) =>
  composer.rescheduleReply.mutate({ id, sendAt, seen }),
);

/** Cancels a scheduled or failed reply and returns its content, files and copies. */
export const cancelReply = change(({ composer }, id: string) => composer.cancelReply.mutate({ id }));

export const addNote = change(({ notes }, note: { conversationId: string; id: string; content: string }) =>
  notes.add.mutate(note),
);

export const runCommand = change(
  ({ commands }, run: { conversationId: string; id: string; command: string; arguments: string }) =>
    commands.run.mutate(run),
);

/** Sends a template. The thread shows the send status that the channel reports. */
export const sendTemplate = change(
  (
    { composer },
    template: {
      conversationId: string;
      id: string;
      name: string;
      language: string;
      values: Record<string, string>;
    },
  ) => composer.sendTemplate.mutate(template),
);
