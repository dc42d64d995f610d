import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getScreens } from '#app/data/get-screens.ts';

/** A company with its domains, or the page that says that it is not there; asked once a request. */
export const getCompany = cache(async (id: string) => {
  const company = await (await getScreens()).companies.get({ id });
  return company ?? notFound();
});
