import { cache } from 'react';
import { openScreens } from '#app/data/open-screens.ts';

/** How many open conversations the views of the sidebar hold; asked once a request. */
export const countViews = cache(async () => (await openScreens()).inbox.viewCounts());
