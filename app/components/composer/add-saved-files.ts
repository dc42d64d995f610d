import { v7 as uuidv7 } from 'uuid';
import { copySavedFiles } from '#app/components/composer/saved-reply-actions.ts';
import type { SetFiles } from '#app/components/composer/use-enclosures.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

/** Adds copies of a saved reply's files to a draft. */
export async function addSavedFiles(
  { id, name, files: originals }: OfferedSavedReply,
  setFiles: SetFiles,
): Promise<void> {
  const added = originals.map((file) => ({ ...file, key: uuidv7(), uploaded: null }));
  const keys = added.map(({ key }) => key);
  setFiles((all) => [...all, ...added]);
  const outcome = await copySavedFiles(id).catch(notReached);
  const copies = outcome.done ? outcome.value : [];
  setFiles((all) =>
    all.flatMap((file) => {
      const copy = copies[keys.indexOf(file.key)];
      if (copy) return { key: file.key, name: copy.name, sizeBytes: copy.sizeBytes, uploaded: copy };
      return keys.includes(file.key) ? [] : file;
    }),
  );
  if (!outcome.done) toast.error(`The files of “${name}” were not added`, { description: outcome.problem });
}
