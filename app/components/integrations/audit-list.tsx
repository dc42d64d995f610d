import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import type { AuditEntryView } from '#server/screens/integrations/views.ts';

/** What happened to connections, an entry a line. */
export function AuditList({ entries }: { entries: AuditEntryView[] }) {
  return (
    <ul className="divide-y text-list">
      {entries.map(({ id, at, sentence }) => (
        <li key={id} className="flex items-baseline justify-between gap-4 px-5 py-2.5">
          <p className="min-w-0 max-w-[75ch] text-pretty [overflow-wrap:anywhere]">{sentence}</p>
          <RelativeTime at={at} className="shrink-0 text-ink-soft" />
        </li>
      ))}
    </ul>
  );
}
