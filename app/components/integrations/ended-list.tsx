import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import type { EndedConnectionView } from '#server/screens/integrations/views.ts';

/** Connections that ended: whose, from when to when, why, and what to do to have one back. */
export function EndedList({ connections }: { connections: EndedConnectionView[] }) {
  return (
    <ul className="divide-y text-list">
      {connections.map(({ id, teammate, connectedAt, lastUsedAt, endedAt, why, whatToDo }) => (
        <li key={id} className="grid gap-1 px-5 py-3">
          <div className="flex items-baseline justify-between gap-4">
            <p className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-semibold">{teammate.name}</span>{' '}
              <span className="text-ink-soft">{teammate.email}</span>
            </p>
            <p className="shrink-0 text-ink-soft">
              <span className="max-md:sr-only">Ended </span>
              <RelativeTime at={endedAt} />
            </p>
          </div>
          <p className="max-w-[75ch] text-pretty">
            {why} {whatToDo ? <span className="text-ink-soft">{whatToDo}</span> : null}
          </p>
          <p className="text-ink-faint text-xs">
            Connected <RelativeTime at={connectedAt} />,{' '}
            {lastUsedAt ? (
              <>
                last used <RelativeTime at={lastUsedAt} />
              </>
            ) : (
              'never used'
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
