import Link from 'next/link';
import type { ReactNode } from 'react';
import { Card } from '#app/components/ui/card.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { getScreens } from '#app/data/session.ts';
import type { AuditEntryView, EndedConnectionView } from '#server/screens/integrations/views.ts';

type Props = {
  id: string;
  title: string;
  /** Text of an empty section. */
  empty: string;
  /** Link to the full list, or null when everything is shown. */
  all: { href: string; words: string } | null;
  /** The newest entries, or null. */
  children: ReactNode;
};

/** The newest entries of a history, with a link to the full list. */
function HistorySection({ id, title, empty, all, children }: Props) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id={id} className="text-base">
        {title}
      </h2>
      <Card className="overflow-hidden">
        {children ?? <p className="px-5 py-4 text-ink-soft text-list">{empty}</p>}
        {all ? (
          <Link
            href={all.href}
            className="focus-inset flex h-10 items-center border-t px-5 font-medium text-accent-ink text-list hover:bg-hover max-md:h-11"
          >
            {all.words}
          </Link>
        ) : null}
      </Card>
    </section>
  );
}

const CHANGES_SHOWN = 5;

/** Recent history: connected, refused, disconnected by a teammate or automatically. */
export async function ConnectionHistory() {
  const { items, older } = await (await getScreens()).connections.listAudit({});
  return (
    <HistorySection
      id="history"
      title="History"
      empty="No history yet. Created, refused and disconnected connections appear here."
      all={
        items.length > CHANGES_SHOWN || older
          ? { href: '/settings/integrations/history', words: 'Full history' }
          : null
      }
    >
      {items.length > 0 ? <AuditList entries={items.slice(0, CHANGES_SHOWN)} /> : null}
    </HistorySection>
  );
}

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

const ENDED_SHOWN = 3;

/** Recent past connections. */
export async function PastConnections() {
  const { items, older } = await (await getScreens()).connections.listEnded({});
  return (
    <HistorySection
      id="ended-connections"
      title="Past connections"
      empty="No past connections"
      all={
        items.length > ENDED_SHOWN || older
          ? { href: '/settings/integrations/ended', words: 'All past connections' }
          : null
      }
    >
      {items.length > 0 ? <PastConnectionList connections={items.slice(0, ENDED_SHOWN)} /> : null}
    </HistorySection>
  );
}

/** Past connections with their period, why they ended, and how to reconnect. */
export function PastConnectionList({ connections }: { connections: EndedConnectionView[] }) {
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
