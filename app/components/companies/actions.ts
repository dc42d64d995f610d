'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

/** Companies show on contacts too. */
const CONTACTS = '/contacts/*';

/** Creates a company in the open workspace, or renames the one of that id. */
export const saveCompany = action(CONTACTS, async ({ companies }, id: string | null, form: FormData) => {
  const name = textOf(form, 'name');
  if (id === null) return { id: (await companies.create({ name })).id };
  await companies.rename({ id, name });
  return { id };
});

/** Deletes a company. */
export const deleteCompany = action(CONTACTS, async ({ companies }, id: string) => {
  await companies.delete({ id });
});

/** Adds a domain to a company. */
export const addCompanyDomain = action(CONTACTS, async ({ companies }, id: string, form: FormData) => {
  await companies.addDomain({ id, domain: textOf(form, 'domain') });
});

/** Removes a domain from a company. */
export const removeCompanyDomain = action(CONTACTS, async ({ companies }, id: string, domain: string) => {
  await companies.removeDomain({ id, domain });
});

/** Links the contacts who have a company's domain and no company; returns how many, and whether more follow. */
export const linkContacts = action(CONTACTS, ({ companies }, id: string, domain: string) =>
  companies.linkContacts({ id, domain }),
);
