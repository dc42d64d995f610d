import type { QueryClient } from '@tanstack/react-query';
import { addFiles } from '#app/components/composer/add-files.ts';
import { sharedDrafts } from '#app/components/composer/shared-drafts.ts';
import { draftKey } from '#app/components/drafts/composer-store.ts';
import { composer } from '#app/components/drafts/drafts.ts';
import type { SharedContent } from '#app/components/drafts/shared-content.ts';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import { openedQuery } from '#app/components/view/inbox-queries.ts';
import { joinWritten } from '#server/screens/inbox/formatted-text.ts';

type Attached = { uploads: Promise<boolean> } | { problem: string };

/**
 * Adds what was shared to the reply draft of a conversation, below the text that it has. `uploads` resolves once all files are uploaded,
 * with false if some were not added.
 * @throws when the service cannot be reached
 */
export async function attachShared(
  { queries, screens }: { queries: QueryClient; screens: ScreensClient },
  conversationId: string,
  { text, files }: SharedContent,
): Promise<Attached> {
  const opened = await queries.fetchQuery({ ...openedQuery(screens, conversationId), staleTime: 0 });
  if (!opened) return { problem: 'This conversation is no longer available. Choose another one.' };
  const { composer: view } = opened;
  if (view.readOnly !== null) return { problem: view.readOnly };
  if (view.mergedInto)
    return { problem: `This conversation was merged into “${view.mergedInto.title}”. Choose that one.` };
  // First the draft that teammates share, so that nothing of it is replaced.
  sharedDrafts.follow(view);
  const key = draftKey({ userId: view.you.id, conversationId, kind: 'reply' });
  // Not twice, when the files were not added at the first attempt.
  if (!composer.get(key).text.includes(text)) {
    composer.edit(key, (draft) => joinWritten([draft, { text, formatted: null }]));
  }
  const { workspaceId, filesMax } = view;
  return {
    uploads: addFiles(composer, key, { workspaceId, filesMax, picked: files }).then(({ areAll }) => areAll),
  };
}
