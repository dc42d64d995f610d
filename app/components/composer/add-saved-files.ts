import { v7 as uuidv7 } from 'uuid';
import { keepSavedFiles } from '#app/components/composer/saved-reply-actions.ts';
import type { SetFiles } from '#app/components/composer/use-enclosures.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

/** Adds a saved reply's files to a draft, which shares them. */
export async function addSavedFiles(
  { id, name, files: offered }: OfferedSavedReply,
  setFiles: SetFiles,
): Promise<void> {
  const added = offered.map((file) => ({ ...file, key: uuidv7(), uploaded: null }));
  const keys = added.map(({ key }) => key);
  setFiles((all) => [...all, ...added]);
  const outcome = await keepSavedFiles(id).catch(notReached);
  const kept = outcome.done ? outcome.value : [];
  setFiles((all) =>
    all.flatMap((file) => {
      const known = kept[keys.indexOf(file.key)];
      if (known) return { key: file.key, name: known.name, sizeBytes: known.sizeBytes, uploaded: known };
      return keys.includes(file.key) ? [] : file;
    }),
  );
  if (!outcome.done) toast.error(`The files of “${name}” were not added`, { description: outcome.problem });
}
