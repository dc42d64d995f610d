'use client';

import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { ChannelIcon } from '#app/components/conversations/channel-icon.tsx';
import { mergeFacts, personOf } from '#app/components/inbox/merge-facts.ts';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import type { MergeSide } from '#server/screens/inbox/views.ts';

/** The conversations of a merge, or why they could not be read. Null while reading, and without a target. */
export type MergeSides = { from: MergeSide[]; into: MergeSide } | { problem: string } | null;

/** Reads the contacts, channels and addresses of a merge. */
export function useMergeSides(fromIds: string[], intoId: string | null): MergeSides {
  const screens = useScreens();
  const ids = intoId === null ? [] : [intoId, ...fromIds];
  const { data, error } = useQuery({
    queryKey: ['conversations.mergeSides', { ids }],
    enabled: intoId !== null,
    queryFn: ({ signal }) => screens.conversations.mergeSides.query({ ids }, { signal }),
  });
  if (error) return { problem: queryErrorMessage(error) };
  const into = data?.find(({ id }) => id === intoId);
  if (!data || !into) return null;
  return { from: data.filter(({ id }) => id !== intoId), into };
}

/** Names the contacts of a merge with channels and addresses, what each sees and who is answered, and warns. */
export function MergeSummary({ sides }: { sides: MergeSides }) {
  if (sides === null) {
    return (
      <div role="status" className="grid gap-2">
        <span className="sr-only">Loading the contacts</span>
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
      </div>
    );
  }
  if ('problem' in sides) return <FieldError>{sides.problem}</FieldError>;
  const { from, into } = sides;
  const { warning, seen, answered } = mergeFacts(from, into);
  return (
    <>
      {warning === null ? null : (
        <p className="flex gap-2 rounded-md border border-note-line bg-note p-2 font-medium text-note-ink">
          <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
          {warning}
        </p>
      )}
      {warning === null ? null : (
        <ul className="scroll-pane grid max-h-40 gap-1.5">
          {[into, ...from].map((side) => (
            <Side key={side.id} side={side} />
          ))}
        </ul>
      )}
      <ul className="grid list-disc gap-1 pl-4 text-ink-soft">
        {seen === null ? null : <li>{seen}</li>}
        <li>{answered}</li>
        <li>All messages appear in one thread, marked with where they came from.</li>
        <li>You can undo the merge for 30 days. Messages written in the meantime stay where they are.</li>
      </ul>
    </>
  );
}

function Side({ side }: { side: MergeSide }) {
  const { title, address } = side;
  const person = personOf(side);
  return (
    <li className="flex min-w-0 items-center gap-2">
      <ChannelIcon channel={side.channel} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <bdi className="font-medium">{person}</bdi>
        {address === null || address === person ? null : <span className="text-ink-soft"> {address}</span>}
        {title === person ? null : (
          <span className="text-ink-soft">
            {' '}
            · <bdi>{title}</bdi>
          </span>
        )}
      </span>
    </li>
  );
}
