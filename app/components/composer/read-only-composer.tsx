import { Eye, Merge } from 'lucide-react';
import type { ReactNode } from 'react';
import { ComposerNotice } from '#app/components/composer/composer-notice.tsx';
import { DraftToRead } from '#app/components/composer/shared-draft.tsx';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

/** Replaces the composer in a read-only conversation. Pending replies stay visible. */
export function ReadOnlyComposer({ view, children }: { view: ComposerView; children: ReactNode }) {
  const { mergedInto, readOnly } = view;
  return (
    <>
      {children}
      {view.draft?.content ? <DraftToRead draft={view.draft} you={view.you} /> : null}
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
