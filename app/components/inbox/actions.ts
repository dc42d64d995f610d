import { change } from '#app/components/live/page-data.ts';
import { textOf } from '#app/lib/form-state.ts';
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

/** Parses the JSON list in a hidden field. The server validates its items. */
function listOf<Item>(form: FormData, name: string): Item[] {
  const list: unknown = JSON.parse(textOf(form, name) || '[]');
  return Array.isArray(list) ? list : [];
}

/** Turns the AI agent off or on in a conversation. */
export const setSilenced = change(({ aiAgent }, id: string, silenced: boolean) =>
  aiAgent.setSilenced.mutate({ id, silenced }),
);
