'use server';

import { revalidatePath } from 'next/cache';
import { type ContactValues, changedValues, sentValues } from '#app/components/contacts/contact-values.ts';
import { openScreens } from '#app/data/open-screens.ts';
import { contactPath } from '#app/lib/contacts-path.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';

/** How far the form of a contact got: `saved` once it is done, `owner` who has the e-mail address already. */
export type ContactFormState = FormState & {
  saved: { id: string; name: string } | null;
  owner: { id: string; name: string; path: string } | null;
};

const FIELDS = ['name', 'email', 'phone', 'city', 'languageCode', 'company', 'companyName'];

/**
 * Creates a contact, or saves what was changed of one.
 * @param given the contact's id, null for somebody new, and what the form showed
 */
export async function saveContact(
  given: { id: string | null; shown: ContactValues },
  before: ContactFormState,
  form: FormData,
): Promise<ContactFormState> {
  const { id, shown } = given;
  const changes = changedValues(shown, sentValues(form), textOf(form, 'companyName'));
  const values = Object.fromEntries(FIELDS.map((field) => [field, textOf(form, field)]));
  try {
    const { contacts } = await openScreens();
    const answer = id === null ? await contacts.create(changes) : await contacts.update({ id, changes });
    if (answer.kind === 'email_taken') {
      const { sentence, owner } = answer;
      return {
        ...before,
        values,
        fields: { email: sentence },
        problem: null,
        attempt: before.attempt + 1,
        owner: { ...owner, path: contactPath(owner.id) },
      };
    }
    revalidatePath('/contacts', 'layout');
    return { ...succeeded(before), saved: { id: answer.id, name: answer.name }, owner: null };
  } catch (error) {
    const { fields, ...refused } = failed(before, error, { values, fields: [...FIELDS, 'language'] });
    // Only a code that was typed can be wrong, so it is told there.
    const { language, ...others } = fields;
    return {
      ...refused,
      fields: { ...others, ...(language === undefined ? {} : { languageCode: language }) },
      saved: null,
      owner: null,
    };
  }
}
