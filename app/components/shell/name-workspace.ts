import { WORKSPACE_HEADER } from '#server/screens/page-refusals.ts';

/**
 * Names the workspace of the page in every server action that the page sends, so that the server refuses one that would change another
 * workspace (`screenProcedure`). Next.js sends actions with `fetch` and has no other way to add a header.
 * @returns how to stop
 */
export function nameWorkspace(workspaceId: string): () => void {
  const { fetch } = window;
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has('next-action')) return fetch(input, init);
    headers.set(WORKSPACE_HEADER, workspaceId);
    return fetch(input, { ...init, headers });
  };
  return () => {
    window.fetch = fetch;
  };
}
