import { Lock } from 'lucide-react';
import { ComposerNotice } from '#app/components/inbox/composer/notices/composer-notice.tsx';
import { mendLink } from '#app/components/inbox/composer/reply-head.tsx';
import type { ComposerView } from '#server/inbox/messages/views.ts';

/** In place of the note box: which plan has notes, and what they are for. */
export function NotesUnavailable({ problem }: { problem: NonNullable<ComposerView['notesProblem']> }) {
  return (
    <div className="grid min-h-28 content-center gap-1 px-4 py-4">
      <ComposerNotice icon={Lock} link={mendLink(problem.href)}>
        {problem.sentence} They let your team discuss a conversation without the contact seeing it.
        {problem.href === null ? ' Ask an owner of this workspace to change the plan.' : ''}
      </ComposerNotice>
    </div>
  );
}
