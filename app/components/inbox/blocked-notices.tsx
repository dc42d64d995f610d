import { Ban } from 'lucide-react';
import Link from 'next/link';
import { type HistoryOf, useContactHistory } from '#app/components/inbox/use-contact-history.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';

/** Explains for each entry of the block list that refuses messages of the contact why no more arrive. */
export function BlockedNotices({ conversation }: { conversation: HistoryOf }) {
  const { data } = useContactHistory(conversation);
  return data?.blocks.map(({ id, sender, createdByName, createdAt, lastRefusedAt, path }) => (
    <div key={id} className="flex gap-2 rounded-lg border bg-canvas p-3 text-ink-soft text-list">
      <Ban aria-hidden size={15} className="mt-0.5 shrink-0" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {createdByName} blocked <bdi className="font-medium text-ink">{sender}</bdi>{' '}
        <RelativeTime at={createdAt} className="whitespace-nowrap" />.{' '}
        {lastRefusedAt ? (
          <>
            The last message was refused <RelativeTime at={lastRefusedAt} className="whitespace-nowrap" />.
          </>
        ) : (
          'New messages are refused.'
        )}{' '}
        {path ? (
          <Link href={path} prefetch={false} className="font-medium text-accent-ink hover:underline">
            Blocked senders
          </Link>
        ) : null}
      </p>
    </div>
  ));
}
