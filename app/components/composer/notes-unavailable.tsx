import { Lock } from 'lucide-react';
import { ComposerNotice, settingsLink } from '#app/components/composer/composer-notice.tsx';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

/** Replaces the note editor when the plan has no internal notes. */
export function NotesUnavailable({ problem }: { problem: NonNullable<ComposerView['notesProblem']> }) {
  return (
    <div className="grid min-h-28 content-center gap-1 px-4 py-4">
      <ComposerNotice icon={Lock} link={settingsLink(problem.href)}>
        {problem.sentence} Notes let your team discuss a conversation without the contact seeing them.
        {problem.href === null ? ' Ask an owner of this workspace to change the plan.' : ''}
      </ComposerNotice>
    </div>
  );
}
