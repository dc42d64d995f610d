import { Ban, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { OfferRestoring, RestoreButton } from '#app/components/inbox/restore-button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { Removal, RemovedPage, RemovedRow } from '#server/screens/inbox/views.ts';

type Props = { kind: Removal; page: RemovedPage; mayRestore: boolean };

/** Spam or deleted conversations, newest removal first. */
export function RemovedList({ kind, page: { rows, nextCursor }, mayRestore }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Card>
        {rows.length === 0 ? (
          <Empty kind={kind} hasOlder={nextCursor !== null} />
        ) : (
          <ul aria-label={kind === 'spam' ? 'Spam' : 'Deleted conversations'} className="divide-y">
            {rows.map((row) => (
              <li
                key={row.id}
                className="flex items-center gap-4 px-5 py-3 max-md:flex-col max-md:items-stretch max-md:gap-2 max-md:px-4"
              >
                <RowText row={row} kind={kind} />
                {mayRestore ? <RestoreButton id={row.id} kind={kind} /> : null}
              </li>
            ))}
          </ul>
        )}
        {mayRestore ? (
          <OfferRestoring rows={rows.map((row) => ({ id: row.id, kind, title: titleOf(row) }))} />
        ) : null}
      </Card>
      {nextCursor ? (
        <Link href={`?after=${encodeURIComponent(nextCursor)}`} className="text-accent-ink hover:underline">
          Older conversations
        </Link>
      ) : null}
    </div>
  );
}

function titleOf({ subject, contactName }: RemovedRow): string {
  return subject ?? contactName ?? 'Unknown contact';
}

function RowText({ row, kind }: { row: RemovedRow; kind: Removal }) {
  return (
    <div className="grid min-w-0 grow gap-0.5">
      <Link
        href={inboxPath({ status: 'all', selected: row.id })}
        prefetch={false}
        className="truncate font-medium hover:underline"
      >
        <bdi>{titleOf(row)}</bdi>
      </Link>
      <p dir="auto" className="truncate text-ink-soft text-list">
        {row.preview ?? 'No messages yet'}
      </p>
      <p className="text-ink-soft text-xs">
        {row.contactName ? (
          <>
            <bdi>{row.contactName}</bdi> ·{' '}
          </>
        ) : null}
        {channels[row.channel].name} · {kind === 'spam' ? 'Marked as spam' : 'Deleted'}
        {row.byName ? ` by ${row.byName}` : ''} <RelativeTime at={row.removedAt} />
      </p>
    </div>
  );
}

function Empty({ kind, hasOlder }: { kind: Removal; hasOlder: boolean }) {
  if (hasOlder) {
    return (
      <EmptyState icon={Ban} title="Nothing on this page">
        <p>You don’t see the newest conversations in Spam. There may be older ones that you see.</p>
      </EmptyState>
    );
  }
  return kind === 'spam' ? (
    <EmptyState icon={Ban} title="No spam">
      <p>Conversations that you mark as spam appear here.</p>
    </EmptyState>
  ) : (
    <EmptyState icon={Trash2} title="No deleted conversations">
      <p>Deleted conversations appear here for 30 days.</p>
    </EmptyState>
  );
}
