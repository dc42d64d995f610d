import { change } from '#app/components/live/page-data.ts';
import type { FieldSubject } from '#server/screens/fields/views.ts';

/** A contact or a conversation. */
export type Subject = { subject: FieldSubject; id: string };

/** Sets a value, which is checked as typed. An empty text empties the field. */
export const setField = change(
  async ({ fields }, { subject, id }: Subject, fieldId: string, value: string) => {
    if (subject === 'contact') await fields.setOnContact.mutate({ id, fieldId, value });
    else await fields.setOnConversation.mutate({ id, fieldId, value });
  },
);
