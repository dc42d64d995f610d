import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getScreens } from '#app/data/get-screens.ts';

/** The workspace of one's own in which a record is, open or not; else the page that says that it is not there. */
export function requireWorkspaceOf({ kind, id }: { kind: 'conversation' | 'contact'; id: string }) {
  return workspaceOf(kind, id);
}

/** Asked once a request. */
const workspaceOf = cache(async (kind: 'conversation' | 'contact', id: string) => {
  const found = await (await getScreens()).session.workspaceOf({ kind, id });
  return found ?? notFound();
});
