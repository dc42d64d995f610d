'use server';

import { action } from '#app/data/action.ts';
import { getScreens } from '#app/data/session.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { ConversationStatus, Enclosures, Priority } from '#server/screens/inbox/views.ts';

/** What is to change of a conversation; null removes the assignee or the team. */
export type ConversationChanges = {
  status?: ConversationStatus;
  priority?: Priority;
  assigneeId?: string | null;
  teamId?: string | null;
};

/** Changes a conversation. */
export const updateConversation = action(
  null,
  async ({ conversations }, id: string, changes: ConversationChanges) => {
    await conversations.update({ id, changes });
  },
);

/** Adds tags to a conversation. */
export const addTags = action(null, async ({ conversations }, id: string, tags: string[]) => {
  await conversations.addTags({ id, tags });
});

/** Removes tags from a conversation. */
export const removeTags = action(null, async ({ conversations }, id: string, tags: string[]) => {
  await conversations.removeTags({ id, tags });
});

/** Merges a conversation into another one. */
export const mergeConversation = action(null, async ({ conversations }, id: string, intoId: string) => {
  await conversations.merge({ id, intoId });
});

/** Starts a conversation by email; returns its id. */
export const startConversation = action(null, async ({ conversations }, form: FormData) => {
  const { id } = await conversations.create({
    to_email: textOf(form, 'to_email'),
    to_name: textOf(form, 'to_name'),
    subject: textOf(form, 'subject'),
    content: textOf(form, 'content'),
    cc: listOf(form, 'cc'),
    bcc: listOf(form, 'bcc'),
    files: listOf(form, 'files'),
  });
  return { id };
});

/** A list that a form carries in a hidden field; what is in it is judged where it is taken in. */
function listOf<Item>(form: FormData, name: string): Item[] {
  const list: unknown = JSON.parse(textOf(form, name) || '[]');
  return Array.isArray(list) ? list : [];
}

/** A reply to be sent; `solves`: the conversation is solved once it is. */
type Reply = { conversationId: string; id: string; content: string; solves: boolean } & Enclosures;

/** Schedules a reply, which can be cancelled until it is sent; returns how long that is, in milliseconds. */
export const scheduleReply = action(null, ({ composer }, reply: Reply) => composer.reply(reply));

/** Cancels a reply that was not sent; returns its text and what went with it. */
export const cancelReply = action(null, ({ composer }, id: string) => composer.cancelReply({ id }));

/** Sends a message again that failed. */
export const resendMessage = action(
  null,
  async ({ composer }, message: { conversationId: string; messageId: string }) => {
    await composer.resend(message);
  },
);

/** Adds an internal note to a conversation. */
export const addNote = action(null, async ({ notes }, note: { conversationId: string; content: string }) => {
  await notes.add(note);
});

/** Runs a workflow command in a conversation. */
export const runCommand = action(
  null,
  async ({ commands }, run: { conversationId: string; command: string; arguments: string }) => {
    await commands.run(run);
  },
);

/** Sends a template in a conversation. What the channel reports of it is shown in the thread. */
export const sendTemplate = action(
  null,
  async (
    { composer },
    template: { conversationId: string; name: string; language: string; values: Record<string, string> },
  ) => {
    await composer.sendTemplate(template);
  },
);

/** All of a mail, or a sentence when it could not be read. */
export async function showFullContent(messageId: string): Promise<{ content: string } | { problem: string }> {
  try {
    return { content: await (await getScreens()).conversations.fullContent({ messageId }) };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
