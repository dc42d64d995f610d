'use client';

import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useScreens } from '#app/components/live/screens-provider.tsx';

/** Says before anything is written that no email would leave, and why. */
export function MailProblem() {
  const screens = useScreens();
  const { data: problem } = useQuery({
    queryKey: ['conversations.mailProblem'],
    queryFn: ({ signal }) => screens.conversations.mailProblem.query(undefined, { signal }),
  });
  return (
    <div role="status" className="contents">
      {problem ? (
        <p className="flex gap-2 rounded-lg border border-note-line bg-note p-3 text-list text-note-ink">
          <TriangleAlert aria-hidden size={16} className="mt-px shrink-0" />
          <span>{problem}</span>
        </p>
      ) : null}
    </div>
  );
}
