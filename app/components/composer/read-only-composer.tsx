import { Eye, Merge } from 'lucide-react';
import type { ReactNode } from 'react';
import { ComposerNotice } from '#app/components/composer/composer-notices.tsx';
import type { ComposerView } from '#server/screens/inbox/views.ts';

/** In place of the composer: why nothing is written here, and where instead. What waits to be sent is shown still. */
export function ReadOnlyComposer({ view, children }: { view: ComposerView; children: ReactNode }) {
  const { mergedInto, readOnly } = view;
  return (
    <>
      {children}
      <div className="rounded-lg border bg-canvas px-3 py-2.5">
        {mergedInto ? (
          <ComposerNotice
            icon={Merge}
            link={{ href: `/inbox?selected=${mergedInto.id}`, label: 'Continue there' }}
          >
            You cannot write here: this conversation was merged into “<bdi>{mergedInto.title}</bdi>”.
          </ComposerNotice>
        ) : (
          <ComposerNotice icon={Eye}>{readOnly}</ComposerNotice>
        )}
      </div>
    </>
  );
}
