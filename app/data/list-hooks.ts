import { cache } from 'react';
import { getScreens } from '#app/data/get-screens.ts';

/** The workflows of the open workspace, live and removed; asked once a request. */
export const listHooks = cache(async () => (await getScreens()).hooks.list());
