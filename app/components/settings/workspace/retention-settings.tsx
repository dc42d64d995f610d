'use client';

import { RetentionForm } from '#app/components/settings/workspace/retention-form.tsx';
import { TimeSince } from '#app/components/ui/relative-time.tsx';
import type { RetentionView } from '#server/screens/settings/views.ts';

/** The retention rule: a form for owners, sentences for admins. */
export function RetentionSettings({ rule }: { rule: RetentionView }) {
  return (
    <div className="grid gap-5 p-5">
      {rule.startsAt === null ? null : (
        <p role="status" className="rounded-lg border border-note-line bg-note px-4 py-3 text-note-ink">
          Nothing is deleted before <TimeSince at={rule.startsAt} />. Until then an owner can change this.
        </p>
      )}
      {rule.mayChange ? <RetentionForm rule={rule} /> : <Summary rule={rule} />}
    </div>
  );
}

function Summary({ rule }: { rule: RetentionView }) {
  const { conversationDays, anonymizes, fileDays, auditDays } = rule;
  const rows: [string, string, number | null][] = [
    ['Conversations', anonymizes ? 'Anonymized' : 'Deleted', conversationDays],
    ['Files and original emails', 'Deleted', fileDays],
    ['Audit log', 'Deleted', auditDays],
  ];
  return (
    <>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5 text-list">
        {rows.map(([what, does, days]) => (
          <Row key={what} what={what} value={days === null ? 'Stored' : `${does} after ${days} days`} />
        ))}
      </dl>
      <p className="text-ink-soft text-list">Only owners can change this.</p>
    </>
  );
}

function Row({ what, value }: { what: string; value: string }) {
  return (
    <>
      <dt>{what}</dt>
      <dd className="text-right text-ink-soft">{value}</dd>
    </>
  );
}
