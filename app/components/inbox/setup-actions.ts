'use server';

import { action } from '#app/data/action.ts';

/** Ends the checklist of the first steps for everyone in the workspace. */
export const dismissSetup = action(null, ({ workspaces }) => workspaces.dismissSetup());
