import { v7 as uuidv7 } from 'uuid';
import type { ChangeFiles } from '#app/components/drafts/composer-state.ts';
import { change } from '#app/components/live/page-data.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

/** Returns the files of a saved reply for a draft. */
const keepSavedFiles = change(({ savedReplies }, id: string) => savedReplies.keepFiles.mutate({ id }));

/** Adds a saved reply's files to a draft, which shares them. */
export async function addSavedFiles(
  { id, name, files: offered }: OfferedSavedReply,
  changeFiles: ChangeFiles,
): Promise<void> {
  const added = offered.map((file) => ({ ...file, key: uuidv7(), uploaded: null }));
  const keys = added.map(({ key }) => key);
  changeFiles((all) => [...all, ...added]);
  const outcome = await keepSavedFiles(id).catch(notReached);
  const kept = outcome.done ? outcome.value : [];
  changeFiles((all) =>
    all.flatMap((file) => {
      const known = kept[keys.indexOf(file.key)];
      if (known) return { key: file.key, name: known.name, sizeBytes: known.sizeBytes, uploaded: known };
      return keys.includes(file.key) ? [] : file;
    }),
  );
  if (!outcome.done) toast.error(`The files of “${name}” were not added`, { description: outcome.problem });
}
