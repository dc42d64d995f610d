import { Suspense } from 'react';
import { ComposerPanel } from '#app/components/inbox/composer/composer-panel.tsx';
import { Skeleton } from '#app/components/ui/layout/skeleton.tsx';
import { currentSession } from '#app/data/current-session.ts';
import { openScreens } from '#app/data/open-screens.ts';

/** What waits to be sent, and where to write: at the bottom of a conversation's column. */
export function Composer({ conversationId }: { conversationId: string }) {
  return (
    <section aria-label="Composer" className="shrink-0 px-5 pt-2 pb-4 max-md:px-2 max-md:pb-2">
      <div className="mx-auto max-w-3xl">
        <Suspense key={conversationId} fallback={<Skeleton className="h-44 rounded-lg" />}>
          <Loaded conversationId={conversationId} />
        </Suspense>
      </div>
    </section>
  );
}

async function Loaded({ conversationId }: { conversationId: string }) {
  const [view, session] = await Promise.all([
    openScreens().then((screens) => screens.composer.state({ conversationId })),
    currentSession(),
  ]);
  if (!view || !session) return null;
  return <ComposerPanel key={view.conversationId} view={view} platformName={session.platformName} />;
}
