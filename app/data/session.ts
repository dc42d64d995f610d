import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { pageContext } from '#server/screens/page-context.ts';

/** Returns the session with the open workspace, or null. Cached per request. */
export const currentSession = cache(async () => (await getScreens()).session.current());

type Session = NonNullable<Awaited<ReturnType<typeof currentSession>>>;

type OpenWorkspace = NonNullable<Session['workspace']>;

/** A session with an open workspace. */
export type WorkspaceSession = Session & { workspace: OpenWorkspace };

/** Returns the session, or redirects to sign-in, which leads back to `path`, or to the no-workspace page. */
export async function requireWorkspace(path: string): Promise<WorkspaceSession> {
  const session = await currentSession();
  if (!session) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  const { workspace } = session;
  if (!workspace) redirect('/no-workspace');
  return { ...session, workspace };
}

/** Returns the teammate's workspace that contains a record, open or not, or shows the not-found page. */
export function requireWorkspaceOf({ kind, id }: { kind: 'conversation' | 'contact'; id: string }) {
  return workspaceOf(kind, id);
}

/** Cached per request. */
const workspaceOf = cache(async (kind: 'conversation' | 'contact', id: string) => {
  const found = await (await getScreens()).session.workspaceOf({ kind, id });
  return found ?? notFound();
});

/** Returns the screens' procedures, bound to the session of this request. Cached per request. */
export const getScreens = cache(async () => pageContext().screensFor(await headers()));
