import { v7 as uuidv7 } from 'uuid';
import { type ComposerStore, draftFile } from '#app/components/drafts/composer-store.ts';
import { type UploadedFile, uploadFile } from '#app/components/drafts/upload-file.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';

/**
 * Adds files to a draft and uploads them, up to the maximum of a message. Toasts say which were not added.
 * @returns the added files, and whether these are all
 */
export async function addFiles(
  drafts: ComposerStore,
  key: string,
  { workspaceId, filesMax, picked }: { workspaceId: string; filesMax: number; picked: readonly File[] },
): Promise<{ added: UploadedFile[]; areAll: boolean }> {
  const room = Math.max(0, filesMax - drafts.get(key).files.length);
  const uploads = picked.slice(0, room).map((file) => addFile(drafts, key, { workspaceId, file }));
  if (picked.length > room) toast.error(`A message can have up to ${filesMax} files.`);
  const added = (await Promise.all(uploads)).flatMap((file) => file ?? []);
  return { added, areAll: added.length === picked.length };
}

async function addFile(
  drafts: ComposerStore,
  key: string,
  { workspaceId, file }: { workspaceId: string; file: File },
): Promise<UploadedFile | null> {
  const id = uuidv7();
  const added = { key: id, name: file.name, sizeBytes: file.size, uploaded: null };
  const changeFiles = drafts.changeFiles(key);
  changeFiles((all) => [...all, added]);
  const upload = await uploadFile(workspaceId, file).catch(() => ({
    done: false as const,
    problem: notReached().problem,
  }));
  const stored = upload.done ? [{ ...draftFile(upload.file), key: id }] : [];
  changeFiles((all) => all.flatMap((each) => (each.key === id ? stored : each)));
  if (!upload.done) toast.error(`${file.name} was not added`, { description: upload.problem });
  return upload.done ? upload.file : null;
}
