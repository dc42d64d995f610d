import { Eye, Merge } from 'lucide-react';
import type { ReactNode } from 'react';
import { ComposerNotice } from '#app/components/composer/composer-notice.tsx';
import { DraftToRead } from '#app/components/composer/shared-draft.tsx';
import { UnsentTexts } from '#app/components/composer/unsent-texts.tsx';
import type { Draft, Kind } from '#app/components/drafts/composer-state.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

type Props = { view: ComposerView; drafts: Record<Kind, Draft>; children: ReactNode };

/** Replaces the composer in a read-only conversation. Pending replies and begun texts stay visible. */
export function ReadOnlyComposer({ view, drafts, children }: Props) {
  const { mergedInto, readOnly } = view;
  return (
    <>
      {children}
      {view.draft?.content ? <DraftToRead draft={view.draft} you={view.you} /> : null}
      <UnsentTexts view={view} drafts={drafts} />
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
