'use server';

import { revalidatePath } from 'next/cache';
import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';
import { type FormState, failed, succeeded, textOf } from '#app/lib/form-state.ts';
import { type NameState, saveName } from '#app/lib/name-state.ts';

/** Makes a company in the open workspace, or gives the one of that id another name. */
export async function saveCompany(id: string | null, before: NameState, form: FormData): Promise<NameState> {
  const { companies } = await openScreens();
  const after = await saveName(before, form, async (name) => {
    if (id === null) return companies.create({ name });
    await companies.rename({ id, name });
    return { id };
  });
  if (after.done) refresh();
  return after;
}

/** Deletes a company; answers a sentence when it was refused, else null. */
export async function deleteCompany(id: string): Promise<string | null> {
  try {
    await (await openScreens()).companies.delete({ id });
  } catch (error) {
    return errorMessage(error);
  }
  refresh();
  return null;
}

/** Gives a company a domain. */
export async function addCompanyDomain(id: string, before: FormState, form: FormData): Promise<FormState> {
  const domain = textOf(form, 'domain');
  try {
    await (await openScreens()).companies.addDomain({ id, domain });
  } catch (error) {
    return failed(before, error, { values: { domain }, fields: ['domain'] });
  }
  refresh();
  return succeeded(before);
}

/** Takes a domain from a company; answers a sentence when it was refused, else null. */
export async function removeCompanyDomain(id: string, domain: string): Promise<string | null> {
  try {
    await (await openScreens()).companies.removeDomain({ id, domain });
  } catch (error) {
    return errorMessage(error);
  }
  refresh();
  return null;
}

/** Links the contacts who have a company's domain and no company; answers how many, or a sentence when it was refused. */
export async function linkContacts(
  id: string,
  domain: string,
): Promise<{ linked: number; goesOn: boolean } | { problem: string }> {
  try {
    const linked = await (await openScreens()).companies.linkContacts({ id, domain });
    refresh();
    return linked;
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

/** Companies show on contacts too. */
function refresh(): void {
  revalidatePath('/contacts', 'layout');
}
