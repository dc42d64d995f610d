import { change } from '#app/components/live/page-data.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { Enclosures } from '#server/screens/inbox/composer-views.ts';
import type { ConversationChanges } from '#server/screens/inbox/views.ts';

/** Returns the values before. */
export const updateConversation = change(({ conversations }, id: string, changes: ConversationChanges) =>
  conversations.update.mutate({ id, changes }),
);

/** Snoozes a conversation, or cancels its snooze (null). Returns the values before. */
export const snoozeConversation = change(({ conversations }, id: string, until: Date | null) =>
  conversations.snooze.mutate({ id, until }),
);

export const addTags = change(({ conversations }, id: string, tags: string[]) =>
  conversations.addTags.mutate({ id, tags }),
);

export const removeTags = change(({ conversations }, id: string, tags: string[]) =>
  conversations.removeTags.mutate({ id, tags }),
);

export const mergeConversation = change(({ conversations }, id: string, intoId: string) =>
  conversations.merge.mutate({ id, intoId }),
);

/** Undoes merges, the last one first. */
export const undoMerges = change(async ({ conversations }, ids: string[]) => {
  for (const id of ids.toReversed()) await conversations.undoMerge.mutate({ id });
});

export const markRead = change(({ inbox }, conversationId: string) =>
  inbox.markRead.mutate({ conversationId }),
);

export const markUnread = change(({ inbox }, conversationId: string) =>
  inbox.markUnread.mutate({ conversationId }),
);

export const markAllRead = change(({ inbox }) => inbox.markAllRead.mutate());

/** Starts an email conversation and returns its id. `attempt`: an id, the same in a repeated request. */
export const startConversation = change(async ({ conversations }, form: FormData, attempt?: string) => {
  const { id } = await conversations.create.mutate({
    id: attempt,
    to_email: textOf(form, 'to_email'),
    to_name: textOf(form, 'to_name'),
    subject: textOf(form, 'subject'),
    content: textOf(form, 'content'),
    mailboxId: textOf(form, 'mailbox') || undefined,
    cc: listOf(form, 'cc'),
    bcc: listOf(form, 'bcc'),
    files: listOf(form, 'files'),
  });
  return { id };
});

/** Sets the mailbox that sends the replies of a conversation. */
export const setMailbox = change(({ conversations }, id: string, mailboxId: string) =>
  conversations.setMailbox.mutate({ id, mailboxId }),
);

/** Sends the replies of a conversation to the Reply-To of the contact's newest email, or to the contact. */
export const chooseReplyTo = change(({ conversations }, id: string, isUsed: boolean) =>
  conversations.chooseReplyTo.mutate({ id, isUsed }),
);

/** Parses the JSON list in a hidden field. The server validates its items. */
function listOf<Item>(form: FormData, name: string): Item[] {
  const list: unknown = JSON.parse(textOf(form, name) || '[]');
  return Array.isArray(list) ? list : [];
}

/** `solves` also solves the conversation once the reply is sent. `seen`: ids of what the writer has seen. */
type Reply = {
  conversationId: string;
  id: string;
  content: string;
  solves: boolean;
  seen: string[];
} & Enclosures;

/** Schedules a reply, unless something was added that its writer has not seen. */
export const scheduleReply = change(({ composer }, reply: Reply) => composer.reply.mutate(reply));

/** Cancels a scheduled or failed reply and returns its content, files and copies. */
export const cancelReply = change(({ composer }, id: string) => composer.cancelReply.mutate({ id }));

/** Forwards a message by email to a third party. */
export const forwardMessage = change(
  ({ composer }, which: { conversationId: string; messageId: string }, form: FormData, attempt?: string) =>
    composer.forward.mutate({
      ...which,
      id: attempt,
      to: textOf(form, 'to'),
      note: textOf(form, 'content'),
    }),
);

/** Resends a failed message. */
export const resendMessage = change(({ composer }, message: { conversationId: string; messageId: string }) =>
  composer.resend.mutate(message),
);

/** Dismisses the failure of a message, or shows it again. */
export const dismissFailure = change(
  ({ composer }, message: { conversationId: string; messageId: string; isDismissed: boolean }) =>
    composer.dismissFailure.mutate(message),
);

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

/** Turns the AI agent off or on in a conversation. */
export const setSilenced = change(({ aiAgent }, id: string, silenced: boolean) =>
  aiAgent.setSilenced.mutate({ id, silenced }),
);
