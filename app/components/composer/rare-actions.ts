import { change } from '#app/components/live/page-data.ts';

// Changes of parts that are loaded once the page is idle (`rare-parts.ts`).

/** Sets the mailbox that sends the replies of a conversation. */
export const setMailbox = change(({ conversations }, id: string, mailboxId: string) =>
  conversations.setMailbox.mutate({ id, mailboxId }),
);

/** Sends the replies of a conversation to the Reply-To of the contact's newest email, or to the contact. */
export const chooseReplyTo = change(({ conversations }, id: string, isUsed: boolean) =>
  conversations.chooseReplyTo.mutate({ id, isUsed }),
);

/** Changes the time of a reply that is sent later. `sendAt`: null sends it now. `seen`: ids of what the page shows. */
export const rescheduleReply = change(({ composer }, id: string, sendAt: Date | null, seen: string[]) =>
  composer.rescheduleReply.mutate({ id, sendAt, seen }),
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
