'use server';

import { type ContactValues, changedValues, sentValues } from '#app/components/contacts/contact-values.ts';
import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

/** The contact's id, or null for a new contact, and the values that the form showed. */
type Edited = { id: string | null; shown: ContactValues };

/** Merges a contact into another one. Returns the id of the contact that remains. */
export const mergeContact = action('/contacts/*', ({ contacts }, id: string, intoId: string) =>
  contacts.merge({ id, intoId }),
);

/** Schedules the erasure of a contact, whose name the user typed. */
export const eraseContact = action('/contacts/*', ({ contacts }, id: string, typed: string) =>
  contacts.erase({ id, typed }),
);

/** Stops a scheduled erasure. */
export const stopErasure = action('/contacts/*', ({ contacts }, id: string) => contacts.stopErasure({ id }));

/**
 * Creates a contact or saves its changed values. Returns the contact, or the contact that already has the email
 * address.
 */
export const saveContact = action('/contacts/*', ({ contacts }, { id, shown }: Edited, form: FormData) => {
  const changes = changedValues(shown, sentValues(form), textOf(form, 'companyName'));
  return id === null ? contacts.create(changes) : contacts.update({ id, changes });
});
