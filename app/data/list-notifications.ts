import { cache } from 'react';
import { openScreens } from '#app/data/open-screens.ts';

/** The teammate's newest notifications of the open workspace, and how many are unread; asked once a request. */
export const listNotifications = cache(async () => (await openScreens()).notifications.list());
