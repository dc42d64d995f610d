'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

/** Contact pages also show companies. */
const CONTACTS = '/contacts/*';

/** Creates a company in the open workspace, or renames the company with this id. */
export const saveCompany = action(CONTACTS, async ({ companies }, id: string | null, form: FormData) => {
  const name = textOf(form, 'name');
  if (id === null) return { id: (await companies.create({ name })).id };
  await companies.rename({ id, name });
  return { id };
});

export const deleteCompany = action(CONTACTS, async ({ companies }, id: string) => {
  await companies.delete({ id });
});

export const addCompanyDomain = action(CONTACTS, async ({ companies }, id: string, form: FormData) => {
  await companies.addDomain({ id, domain: textOf(form, 'domain') });
});

export const removeCompanyDomain = action(CONTACTS, async ({ companies }, id: string, domain: string) => {
  await companies.removeDomain({ id, domain });
});

/**
 * Links contacts that have one of the company's domains and no company. Returns how many were linked and whether more
 * follow.
 */
export const linkContacts = action(CONTACTS, ({ companies }, id: string, domain: string) =>
  companies.linkContacts({ id, domain }),
);
