import { notFound } from 'next/navigation';
import { cache } from 'react';
import { openScreens } from '#app/data/open-screens.ts';

/** A contact with everything its page shows, or the page that says that it is not there; asked once a request. */
export const openContact = cache(async (id: string) => {
  const contact = await (await openScreens()).contacts.open({ id });
  return contact ?? notFound();
});
