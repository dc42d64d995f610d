'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Dialog, type DialogProps } from '#app/components/ui/dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { dotClass } from '#app/components/ui/status-dot.tsx';
import { cx } from '#app/lib/cx.ts';
import { exactTime, formatDue, formatDuration } from '#app/lib/format-time.ts';
import type { StepView } from '#server/screens/inbox/thread-views.ts';

type Props = { messageId: string; control: NonNullable<DialogProps['control']> };

/** Lists what happened with a message and because of it, in order. */
export function ExplainDialog({ messageId, control }: Props) {
  return (
    <Dialog control={control} title="What happened with this message">
      {control.open ? <Steps messageId={messageId} /> : null}
    </Dialog>
  );
}

function Steps({ messageId }: { messageId: string }) {
  const screens = useScreens();
  const { data, error } = useQuery({
    queryKey: ['conversations', 'explain', messageId],
    queryFn: ({ signal }) => screens.conversations.explain.query({ messageId }, { signal }),
  });
  if (error) return <FieldError>{queryErrorMessage(error)}</FieldError>;
  if (!data) return <Skeleton className="w-3/4" />;
  const start = data[0]?.at;
  return (
    <ol className="grid" aria-label="Steps">
      {data.map((step) => (
        <Step key={step.id} step={step} start={step.id === 0 ? undefined : start} />
      ))}
    </ol>
  );
}

/** A step with its time. `start`: the time of the first step; undefined for that one. */
function Step({ step, start }: { step: StepView; start: Date | undefined }) {
  const { now, timeZone } = useNow();
  const { at, sentence, tone, until, link } = step;
  const when = start ? formatLater(at, start, timeZone) : exactTime(at, timeZone);
  return (
    <li className="group flex gap-3 text-list">
      <span aria-hidden className="flex flex-col items-center">
        <span
          className={cx('mt-1.5 size-2 shrink-0 rounded-full', dotClass(tone === 'plain' ? 'quiet' : tone))}
        />
        <span className="mt-1 w-px grow bg-line group-last:hidden" />
      </span>
      <p className="grid min-w-0 gap-0.5 pb-4 [overflow-wrap:anywhere] group-last:pb-0">
        <span className={cx(tone === 'bad' && 'text-danger-ink')}>{sentence}</span>
        {when === null && until === undefined ? null : (
          <span className="text-ink-faint text-xs">
            {[when, until && `next attempt ${formatDue(until, now)}`].filter(Boolean).join(', ')}
          </span>
        )}
        {link ? (
          <Link
            href={link.path}
            prefetch={false}
            className="mt-0.5 justify-self-start font-medium text-accent-ink hover:underline max-md:py-2.5"
          >
            {link.name}
          </Link>
        ) : null}
      </p>
    </li>
  );
}

/** Time up to which a step is shown with its distance from the first one, in ms. */
const NEAR_MS = 60_000;

/** Formats the time of a step, or returns null for less than a second between it and the first one. */
function formatLater(at: Date, start: Date, timeZone: string): string | null {
  const ms = at.getTime() - start.getTime();
  if (Math.abs(ms) < 1_000) return null;
  return ms > 0 && ms < NEAR_MS ? `${formatDuration(ms)} later` : exactTime(at, timeZone);
}
