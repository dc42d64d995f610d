'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { setRetention } from '#app/components/settings/workspace/actions.ts';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { TypedName } from '#app/components/ui/typed-name.tsx';
import { formatCount } from '#app/lib/format-count.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { Retention, RetentionPreview } from '#server/screens/settings/views.ts';

type Props = { retention: Retention; workspaceName: string; onClose: () => void };

/** Saves a retention rule after the user typed the name of the workspace. Shows what its first night would delete. */
export function RetentionDialog({ retention, workspaceName, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const screens = useScreens();
  const { data, error } = useQuery({
    queryKey: ['retention.preview', retention],
    queryFn: ({ signal }) => screens.retention.preview.query(retention, { signal }),
    staleTime: 0,
  });
  const run = async () => {
    const outcome = await setRetention(retention, typed).catch(notReached);
    setProblem(outcome.done ? null : outcome.problem);
    if (!outcome.done) return false;
    toast.success('Data retention saved');
    return true;
  };
  return (
    <ConfirmDialog
      control={{ open: true, onOpenChange: (open) => open || onClose() }}
      title="Save data retention?"
      confirm="Save"
      onConfirm={run}
      ready={data !== undefined}
    >
      <p>
        A rule that deletes more starts in 24 hours. Until then you can change it. This would happen in the
        first night:
      </p>
      {error ? <FieldError>{queryErrorMessage(error)}</FieldError> : null}
      {data ? <Preview preview={data} anonymizes={retention.anonymizes} /> : null}
      {data || error ? null : <Counting />}
      <TypedName name={workspaceName} typed={typed} onType={setTyped} problem={problem} />
    </ConfirmDialog>
  );
}

function Counting() {
  return (
    <div role="status" className="grid gap-2">
      <span className="sr-only">Counting what will be deleted</span>
      <Skeleton className="w-2/3" />
      <Skeleton className="w-1/2" />
    </div>
  );
}

function Preview({ preview, anonymizes }: { preview: RetentionPreview; anonymizes: boolean }) {
  const rows: [string, keyof RetentionPreview][] = [
    [`Conversations ${anonymizes ? 'anonymized' : 'deleted'}`, 'conversations'],
    ['Files and original emails deleted', 'files'],
    ['Audit entries deleted', 'auditEntries'],
  ];
  return (
    <dl
      aria-label="The first night"
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 rounded-lg border bg-canvas p-3 text-list"
    >
      {rows.map(([words, kind]) => (
        <div key={kind} className="contents">
          <dt>{words}</dt>
          <dd className="text-right text-ink tabular-nums">{formatCount(preview[kind])}</dd>
        </div>
      ))}
    </dl>
  );
}
