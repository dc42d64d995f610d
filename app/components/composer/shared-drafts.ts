import { shareDrafts } from '#app/components/composer/share-drafts.ts';
import { composer } from '#app/components/drafts/drafts.ts';
import { change, refetchTopic } from '#app/components/live/page-data.ts';

/** The shared drafts of this tab. */
export const sharedDrafts = shareDrafts({
  composer,
  save: change(({ composer: screens }, draft: Parameters<typeof screens.saveDraft.mutate>[0]) =>
    screens.saveDraft.mutate(draft),
  ),
});

// The server renders parts of the composer, too.
if (typeof window !== 'undefined') {
  window.addEventListener('online', sharedDrafts.storeAll);
  document.addEventListener('visibilitychange', sharedDrafts.storeAll);
  window.addEventListener('storage', ({ key }) => {
    const { shown } = composer.store.getState();
    // Another tab has stored a version, of which this one follows only the text.
    if (shown && key?.endsWith(`:${shown.conversationId}:reply:version`)) void refetchTopic('draft');
  });
}
