import { cache } from 'react';
import { getScreens } from '#app/data/get-screens.ts';

/** The teammate's newest notifications of the open workspace, and how many are unread; asked once a request. */
export const listNotifications = cache(async () => (await getScreens()).notifications.list());
