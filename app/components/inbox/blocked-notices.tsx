import { Ban } from 'lucide-react';
import Link from 'next/link';
import { type HistoryOf, useContactHistory } from '#app/components/inbox/use-contact-history.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';

/** Explains for each entry of the block list that refuses messages of the contact why no more arrive. */
export function BlockedNotices({ conversation }: { conversation: HistoryOf }) {
  const { data } = useContactHistory(conversation);
  return data?.blocks.map(({ id, sender, createdByName, createdAt, lastRefusedAt, path }) => (
    <div key={id} className="flex gap-2 rounded-lg bg-danger-soft p-3 text-danger-ink text-list">
      <Ban aria-hidden size={15} className="mt-0.5 shrink-0" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {createdByName} blocked <bdi className="font-medium">{sender}</bdi> <RelativeTime at={createdAt} />.{' '}
        {lastRefusedAt ? (
          <>
            The last message was refused <RelativeTime at={lastRefusedAt} />.
          </>
        ) : (
          'New messages are refused.'
        )}{' '}
        {path ? (
          <Link href={path} prefetch={false} className="underline underline-offset-2 hover:decoration-2">
            Blocked senders
          </Link>
        ) : null}
      </p>
    </div>
  ));
}
