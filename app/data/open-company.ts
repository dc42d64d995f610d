import { notFound } from 'next/navigation';
import { cache } from 'react';
import { openScreens } from '#app/data/open-screens.ts';

/** A company with its domains, or the page that says that it is not there; asked once a request. */
export const openCompany = cache(async (id: string) => {
  const company = await (await openScreens()).companies.open({ id });
  return company ?? notFound();
});
