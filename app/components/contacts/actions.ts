'use server';

import { type ContactValues, changedValues, sentValues } from '#app/components/contacts/contact-values.ts';
import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

/** A contact's id, null for a new one, and what the form showed of it. */
type Edited = { id: string | null; shown: ContactValues };

/** Creates a contact, or saves what was changed of one; returns it, or who has its email address already. */
export const saveContact = action('/contacts/*', ({ contacts }, { id, shown }: Edited, form: FormData) => {
  const changes = changedValues(shown, sentValues(form), textOf(form, 'companyName'));
  return id === null ? contacts.create(changes) : contacts.update({ id, changes });
});
