'use client';

import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { findMailProblem } from '#app/components/inbox/new-conversation/find-mail-problem.ts';

/** Says before anything is written that no e-mail would leave, and why. */
export function MailProblem() {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    findMailProblem().then(setProblem, () => {});
  }, []);
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
