import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getScreens } from '#app/data/get-screens.ts';

/** A contact with everything its page shows, or the page that says that it is not there; asked once a request. */
export const getContact = cache(async (id: string) => {
  const contact = await (await getScreens()).contacts.get({ id });
  return contact ?? notFound();
});
