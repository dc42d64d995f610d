import { type ComposerStore, type DraftOf, draftKey } from '#app/components/drafts/composer-store.ts';
import { composer } from '#app/components/drafts/drafts.ts';
import { presenceReporter } from '#app/components/live/presence-reporter.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

/** Inserts a saved reply at the cursor of the reply on screen. */
export function insertSavedReply(
  { you, conversationId, filesMax }: ComposerView,
  saved: OfferedSavedReply,
): void {
  const of: DraftOf = { userId: you.id, conversationId, kind: 'reply' };
  composer.insert(of, saved.content);
  addSavedReply(composer, draftKey(of), { saved, filesMax });
  presenceReporter.typing(true);
}

/** Remembers that a draft used a saved reply, and adds copies of its files. */
export function addSavedReply(
  drafts: ComposerStore,
  key: string,
  { saved, filesMax }: { saved: OfferedSavedReply; filesMax: number },
): void {
  drafts.addSavedReplyId(key, saved.id);
  if (saved.files.length === 0) return;
  if (drafts.get(key).files.length + saved.files.length > filesMax) {
    toast.error(`The files were not added. A message can have up to ${filesMax} files.`);
    return;
  }
  import('#app/components/composer/add-saved-files.ts').then(
    ({ addSavedFiles }) => addSavedFiles(saved, drafts.changeFiles(key)),
    () => toast.error('The files were not added', { description: notReached().problem }),
  );
}
