import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getScreens } from '#app/data/session.ts';

/** A contact with everything its page shows, or the page that says that it is not there; asked once a request. */
export const getContact = cache(async (id: string) => {
  const contact = await (await getScreens()).contacts.get({ id });
  return contact ?? notFound();
});

/** A company with its domains, or the page that says that it is not there; asked once a request. */
export const getCompany = cache(async (id: string) => {
  const company = await (await getScreens()).companies.get({ id });
  return company ?? notFound();
});

/** The workflows of the open workspace, live and removed; asked once a request. */
export const listHooks = cache(async () => (await getScreens()).hooks.list());

/** The teammate's newest notifications of the open workspace, and how many are unread; asked once a request. */
export const listNotifications = cache(async () => (await getScreens()).notifications.list());

/** How many open conversations the views of the sidebar hold; asked once a request. */
export const countViews = cache(async () => (await getScreens()).inbox.viewCounts());
