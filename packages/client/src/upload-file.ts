import type { DeveloperClient } from './create-client.ts';

/** Uploads a file, whose `id` a reply then names in `attachment_ids`. */
export function uploadFile(client: DeveloperClient, file: Blob, name: string) {
  const form = new FormData();
  form.append('file', file, name);
  return client.POST('/files', { body: { file: name }, bodySerializer: () => form });
}
