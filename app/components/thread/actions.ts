import { change } from '#app/components/live/page-data.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { FormattedText } from '#server/screens/inbox/formatted-text.ts';

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

type Note = { conversationId: string; noteId: string };

export const editNote = change(
  ({ notes }, edit: Note & { version: number; content: string; formatted: FormattedText | null }) =>
    notes.edit.mutate(edit),
);

/** Deletes a note whose page showed this version. */
export const deleteNote = change(({ notes }, note: Note & { version: number }) => notes.delete.mutate(note));

/** Undoes the deletion of a note. */
export const restoreNote = change(({ notes }, note: Note) => notes.restore.mutate(note));
