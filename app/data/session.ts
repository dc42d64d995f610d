import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { screensFor } from '#server/screens/router.ts';

/** Who is signed in and which workspace is open, or null; asked once a request. */
export const currentSession = cache(async () => (await getScreens()).session.current());

type Session = NonNullable<Awaited<ReturnType<typeof currentSession>>>;

/** The open workspace as a screen knows it. */
type OpenWorkspace = NonNullable<Session['workspace']>;

/** A teammate in one of their workspaces. */
export type WorkspaceSession = Session & { workspace: OpenWorkspace };

/** The session of a page that needs an open workspace; `path` is where sign-in leads back to. */
export async function requireWorkspace(path: string): Promise<WorkspaceSession> {
  const session = await currentSession();
  if (!session) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  const { workspace } = session;
  if (!workspace) redirect('/no-workspace');
  return { ...session, workspace };
}

/** The workspace of one's own in which a record is, open or not; else the page that says that it is not there. */
export function requireWorkspaceOf({ kind, id }: { kind: 'conversation' | 'contact'; id: string }) {
  return workspaceOf(kind, id);
}

/** Asked once a request. */
const workspaceOf = cache(async (kind: 'conversation' | 'contact', id: string) => {
  const found = await (await getScreens()).session.workspaceOf({ kind, id });
  return found ?? notFound();
});

/** The procedures of our own screens, bound to the session of this request; one caller a request. */
export const getScreens = cache(async () => screensFor(await headers()));
