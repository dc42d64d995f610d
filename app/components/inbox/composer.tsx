import { ComposerPanel } from '#app/components/composer/composer-panel.tsx';
import type { ComposerView } from '#server/screens/inbox/views.ts';

/** What waits to be sent, and where to write: at the bottom of a conversation's column. */
export function Composer({ view, platformName }: { view: ComposerView; platformName: string }) {
  return (
    <section aria-label="Composer" className="shrink-0 px-5 pt-2 pb-4 max-md:px-2 max-md:pb-2">
      <div className="mx-auto max-w-3xl">
        <ComposerPanel key={view.conversationId} view={view} platformName={platformName} />
      </div>
    </section>
  );
}
