import { cache } from 'react';
import { getScreens } from '#app/data/get-screens.ts';

/** Who is signed in and which workspace is open, or null; asked once a request. */
export const currentSession = cache(async () => (await getScreens()).session.current());

type Session = NonNullable<Awaited<ReturnType<typeof currentSession>>>;

/** The open workspace as a screen knows it. */
export type OpenWorkspace = NonNullable<Session['workspace']>;

/** A teammate in one of their workspaces. */
export type WorkspaceSession = Session & { workspace: OpenWorkspace };
