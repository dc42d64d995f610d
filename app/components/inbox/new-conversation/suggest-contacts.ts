'use server';

import { openScreens } from '#app/data/open-screens.ts';

/** A contact to write to. */
export type SuggestedContact = { email: string; name: string | null };

/** So many are offered at once. */
const OFFERED_MAX = 6;

/** The newest contacts with an e-mail address whom what is being typed fits. */
export async function suggestContacts(search: string): Promise<SuggestedContact[]> {
  const { rows } = await (await openScreens()).contacts.list({ search });
  return rows.flatMap(({ email, name }) => (email ? [{ email, name }] : [])).slice(0, OFFERED_MAX);
}
