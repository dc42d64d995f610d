'use server';

import { action } from '#app/data/action.ts';
import { getScreens } from '#app/data/session.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { Enclosures } from '#server/screens/inbox/composer-views.ts';
import type { ConversationChanges } from '#server/screens/inbox/views.ts';

/** Returns the values before. */
export const updateConversation = action(
  null,
  ({ conversations }, id: string, changes: ConversationChanges) => conversations.update({ id, changes }),
);

/** Snoozes a conversation, or cancels its snooze (null). Returns the values before. */
export const snoozeConversation = action(null, ({ conversations }, id: string, until: Date | null) =>
  conversations.snooze({ id, until }),
);

export const addTags = action(null, async ({ conversations }, id: string, tags: string[]) => {
  await conversations.addTags({ id, tags });
});

export const removeTags = action(null, async ({ conversations }, id: string, tags: string[]) => {
  await conversations.removeTags({ id, tags });
});

export const mergeConversation = action(null, async ({ conversations }, id: string, intoId: string) => {
  await conversations.merge({ id, intoId });
});

/** Undoes merges, the last one first. */
export const undoMerges = action(null, async ({ conversations }, ids: string[]) => {
  for (const id of ids.toReversed()) await conversations.undoMerge({ id });
});

export const markRead = action(null, ({ inbox }, conversationId: string) =>
  inbox.markRead({ conversationId }),
);

export const markUnread = action(null, async ({ inbox }, conversationId: string) => {
  await inbox.markUnread({ conversationId });
});

export const markAllRead = action(null, async ({ inbox }) => {
  await inbox.markAllRead();
});

/** Starts an email conversation and returns its id. `attempt`: an id, the same in a repeated request. */
export const startConversation = action(null, async ({ conversations }, form: FormData, attempt?: string) => {
  const { id } = await conversations.create({
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
export const setMailbox = action(null, async ({ conversations }, id: string, mailboxId: string) => {
  await conversations.setMailbox({ id, mailboxId });
});

/** Sends the replies of a conversation to the Reply-To of the contact's newest email, or to the contact. */
export const chooseReplyTo = action(null, async ({ conversations }, id: string, isUsed: boolean) => {
  await conversations.chooseReplyTo({ id, isUsed });
});

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
export const scheduleReply = action(null, ({ composer }, reply: Reply) => composer.reply(reply));

/** Cancels a scheduled or failed reply and returns its content, files and copies. */
export const cancelReply = action(null, ({ composer }, id: string) => composer.cancelReply({ id }));

/** Forwards a message by email to a third party. */
export const forwardMessage = action(
  null,
  async (
    { composer },
    which: { conversationId: string; messageId: string },
    form: FormData,
    attempt?: string,
  ) => {
    await composer.forward({ ...which, id: attempt, to: textOf(form, 'to'), note: textOf(form, 'content') });
  },
);

/** Resends a failed message. */
export const resendMessage = action(
  null,
  async ({ composer }, message: { conversationId: string; messageId: string }) => {
    await composer.resend(message);
  },
);

/** Dismisses the failure of a message, or shows it again. */
export const dismissFailure = action(
  null,
  async ({ composer }, message: { conversationId: string; messageId: string; isDismissed: boolean }) => {
    await composer.dismissFailure(message);
  },
);

export const addNote = action(
  null,
  async ({ notes }, note: { conversationId: string; id: string; content: string }) => {
    await notes.add(note);
  },
);

export const runCommand = action(
  null,
  async ({ commands }, run: { conversationId: string; id: string; command: string; arguments: string }) => {
    await commands.run(run);
  },
);

/** Sends a template. The thread shows the send status that the channel reports. */
export const sendTemplate = action(
  null,
  async (
    { composer },
    template: {
      conversationId: string;
      id: string;
      name: string;
      language: string;
      values: Record<string, string>;
    },
  ) => {
    await composer.sendTemplate(template);
  },
);

/** Returns the full content of an email, or an error sentence. */
export async function showFullContent(messageId: string): Promise<{ content: string } | { problem: string }> {
  try {
    return { content: await (await getScreens()).conversations.fullContent({ messageId }) };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
