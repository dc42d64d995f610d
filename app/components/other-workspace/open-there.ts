'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { openWorkspace } from '#app/components/shell/open-workspace.ts';
import { textOf } from '#app/lib/form-state.ts';
import { localPath } from '#app/lib/local-path.ts';

/** What came of it: where to go, or what is wrong; `attempt` tells one failure from the next. */
export type OpenThereState = { problem: string | null; goTo: string | null; attempt: number };

/** Opens the workspace that a form names and leads to an address in it; with JavaScript the page loads that itself. */
export async function openThere(before: OpenThereState, form: FormData): Promise<OpenThereState> {
  const path = localPath(form.get('path'));
  const problem = await openWorkspace(textOf(form, 'workspaceId'));
  if (problem) return { problem, goTo: null, attempt: before.attempt + 1 };
  const sentByScript = (await headers()).has('next-action');
  if (!sentByScript) redirect(path);
  return { problem: null, goTo: path, attempt: before.attempt };
}
