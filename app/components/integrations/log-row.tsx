import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { DeliveryStateDot } from '#app/components/integrations/delivery-state-dot.tsx';
import { attemptWords } from '#app/components/integrations/log-labels.ts';
import { RelativeTime, TimeDue } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import { formatDuration } from '#app/lib/format-time.ts';
import { type LogView, logPath } from '#app/lib/log-path.ts';
import type { DeliveryRow } from '#server/screens/integrations/views.ts';

type Props = { row: DeliveryRow; view: LogView; isOpen: boolean; children: ReactNode };

/** A delivery. Clicking the row expands or collapses its details. */
export function LogRow({ row, view, isOpen, children }: Props) {
  const { id, eventName, about, hook, attempts, lastAttempt, createdAt } = row;
  const detailsId = `delivery-${id}`;
  return (
    <>
      <tr className={cx('relative border-t first:border-t-0', isOpen ? 'bg-hover' : 'hover:bg-hover')}>
        <th scope="row" className="py-2.5 pr-2 pl-4 align-top font-normal">
          <span className="flex min-w-0 items-start gap-1.5">
            <ChevronRight
              aria-hidden
              size={15}
              className={cx('mt-0.5 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
            />
            <span className="grid min-w-0 gap-0.5">
              <Link
                href={logPath({ ...view, delivery: isOpen ? undefined : id })}
                scroll={false}
                prefetch={false}
                aria-expanded={isOpen}
                aria-controls={isOpen ? detailsId : undefined}
                className="focus-inset truncate font-semibold after:absolute after:inset-0"
              >
                {eventName}
                {hook.filter ? <span className="font-normal text-ink-soft">: {hook.filter}</span> : null}
              </Link>
              {about ? <span className="truncate text-ink-soft text-xs">{about}</span> : null}
              <span className="mt-0.5 grid gap-0.5 md:hidden">
                <Outcome row={row} />
              </span>
            </span>
          </span>
        </th>
        <td className="px-2 py-2.5 align-top max-md:p-0">
          <span className="grid gap-0.5 max-md:hidden">
            <Outcome row={row} />
          </span>
        </td>
        <td className="tabular px-2 py-2.5 text-right align-top text-ink-soft max-md:p-0">
          <span className="max-md:hidden">{attempts}</span>
        </td>
        <td className="tabular px-2 py-2.5 text-right align-top text-ink-soft max-lg:p-0">
          <span className="max-lg:sr-only">{lastAttempt ? formatDuration(lastAttempt.durationMs) : '–'}</span>
        </td>
        <td className="py-2.5 pr-4 pl-2 text-right align-top text-ink-soft">
          <RelativeTime at={createdAt} style="lists" className="relative z-10" />
        </td>
      </tr>
      {children ? (
        <tr id={detailsId}>
          <td colSpan={5} className="border-t bg-canvas p-0">
            {children}
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** States explained by the last attempt. */
const EXPLAINED = new Set<DeliveryRow['state']>(['failed', 'retrying']);

function Outcome({ row: { state, lastAttempt, nextAttemptAt } }: { row: DeliveryRow }) {
  const why = lastAttempt && EXPLAINED.has(state) ? attemptWords(lastAttempt) : null;
  const due = state === 'retrying' && nextAttemptAt ? nextAttemptAt : null;
  return (
    <>
      <DeliveryStateDot state={state} />
      {why || due ? (
        <span className="text-ink-soft text-xs">
          {why}
          {why && due ? ', ' : null}
          {due ? (
            <span className="relative z-10">
              next <TimeDue at={due} />
            </span>
          ) : null}
        </span>
      ) : null}
    </>
  );
}
