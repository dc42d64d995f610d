import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getScreens } from '#app/data/session.ts';

/** Returns a contact, or shows the not-found page. Cached per request. */
export const getContact = cache(async (id: string) => {
  const contact = await (await getScreens()).contacts.get({ id });
  return contact ?? notFound();
});

/** Returns a company, or shows the not-found page. Cached per request. */
export const getCompany = cache(async (id: string) => {
  const company = await (await getScreens()).companies.get({ id });
  return company ?? notFound();
});

/** Returns the live and removed hooks of the open workspace. Cached per request. */
export const listHooks = cache(async () => (await getScreens()).hooks.list());

/** Returns the newest notifications and the number of unread ones. Cached per request. */
export const listNotifications = cache(async () => (await getScreens()).notifications.list());

/** Returns the number of open conversations in each sidebar view. Cached per request. */
export const countViews = cache(async () => (await getScreens()).inbox.viewCounts());
