import { cache } from 'react';
import { openScreens } from '#app/data/open-screens.ts';

/** The workflows of the open workspace, live and removed; asked once a request. */
export const listHooks = cache(async () => (await openScreens()).hooks.list());
