import { notReached } from '#app/lib/outcome.ts';
import type { Enclosures } from '#server/screens/inbox/composer-views.ts';

export type UploadedFile = Enclosures['files'][number];

type Upload = { done: true; file: UploadedFile } | { done: false; problem: string };

/**
 * Uploads a file for a draft in a workspace.
 * @throws when the service cannot be reached
 */
export async function uploadFile(workspaceId: string, file: File): Promise<Upload> {
  const body = new FormData();
  body.append('file', file, file.name);
  const headers = { 'x-workspace-id': workspaceId };
  const response = await fetch('/attachments/', { method: 'POST', headers, body });
  const content: unknown = await response.json();
  if (response.ok) return { done: true, file: content as UploadedFile };
  return { done: false, problem: sentenceIn(content) ?? notReached().problem };
}

function sentenceIn(content: unknown): string | undefined {
  const hasMessage = typeof content === 'object' && content !== null && 'message' in content;
  return hasMessage && typeof content.message === 'string' ? content.message : undefined;
}
