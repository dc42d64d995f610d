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

/** Time in which drafts are stored at sign-out, in ms. */
const STORING_MS = 2_000;

/** Stores replies that were written just now, because sign-out removes their drafts from this browser. Waits only for a short time. */
export async function storeBeforeLeaving(): Promise<void> {
  await Promise.race([sharedDrafts.storeAll(), new Promise((done) => setTimeout(done, STORING_MS))]);
}

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
