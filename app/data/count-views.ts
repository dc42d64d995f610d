import { cache } from 'react';
import { getScreens } from '#app/data/get-screens.ts';

/** How many open conversations the views of the sidebar hold; asked once a request. */
export const countViews = cache(async () => (await getScreens()).inbox.viewCounts());
