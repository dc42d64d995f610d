import { redirect } from 'next/navigation';
import { currentSession, type WorkspaceSession } from '#app/data/session.ts';

/** The session of a page that needs an open workspace; `path` is where sign-in leads back to. */
export async function requireWorkspace(path: string): Promise<WorkspaceSession> {
  const session = await currentSession();
  if (!session) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  const { workspace } = session;
  if (!workspace) redirect('/no-workspace');
  return { ...session, workspace };
}
