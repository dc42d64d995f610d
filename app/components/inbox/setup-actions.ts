import { change } from '#app/components/live/page-data.ts';

/** Ends the checklist of the first steps for everyone in the workspace. */
export const dismissSetup = change(({ workspaces }) => workspaces.dismissSetup.mutate());
