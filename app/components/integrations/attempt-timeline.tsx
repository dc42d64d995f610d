import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { attemptTone } from '#app/components/integrations/log-labels.ts';
import { RelativeTime, TimeDue } from '#app/components/ui/relative-time.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { type DotTone, dotClass } from '#app/components/ui/status-dot.tsx';
import { cx } from '#app/lib/cx.ts';
import { formatDuration } from '#app/lib/format-time.ts';
import type { AttemptView, OpenDelivery } from '#server/screens/integrations/views.ts';

/** Attempts of a delivery, oldest first, and the next scheduled attempt. */
export function AttemptTimeline({ delivery }: { delivery: OpenDelivery }) {
  const { attemptList, nextAttemptAt } = delivery;
  const first = attemptList.at(0)?.number ?? 1;
  if (attemptList.length === 0 && !nextAttemptAt) return null;
  return (
    <section aria-label="Attempts" className="grid gap-2">
      <h3 className="text-list">Attempts</h3>
      {first > 1 ? <p className="text-ink-faint text-xs">The first {first - 1} are not shown.</p> : null}
      <ol>
        {attemptList.map((attempt, index) => (
          <Attempt
            key={attempt.number}
            attempt={attempt}
            before={attemptList[index - 1]}
            isNewest={index === attemptList.length - 1}
            isLast={index === attemptList.length - 1 && !nextAttemptAt}
          />
        ))}
        {nextAttemptAt ? (
          <Step tone="quiet" isLast>
            <p className="text-ink-soft">
              Next attempt <TimeDue at={nextAttemptAt} />
            </p>
          </Step>
        ) : null}
      </ol>
    </section>
  );
}

type AttemptProps = {
  attempt: AttemptView;
  before: AttemptView | undefined;
  isNewest: boolean;
  isLast: boolean;
};

function Attempt({ attempt, before, isNewest, isLast }: AttemptProps) {
  const { number, sentAgain, startedAt, durationMs, outcome, explanation, technical, excerpt, retryAfter } =
    attempt;
  return (
    <Step tone={attemptTone(outcome)} isLast={isLast}>
      <p className="flex flex-wrap items-baseline gap-x-2 text-ink-faint text-xs">
        <span className="font-semibold text-ink text-list">Attempt {number}</span>
        <RelativeTime at={startedAt} />
        {before ? <span className="tabular">{formatDuration(pause(before, attempt))} later</span> : null}
        <span className="tabular">took {formatDuration(durationMs)}</span>
        {sentAgain ? <span>redelivered manually</span> : null}
      </p>
      <p>{explanation}</p>
      {technical ? (
        <p className="font-mono text-ink-soft text-xs [overflow-wrap:anywhere]">{technical}</p>
      ) : null}
      {retryAfter ? <p className="text-ink-soft text-xs">Retry-After: {retryAfter}</p> : null}
      {excerpt ? (
        <details open={isNewest} className="group mt-1 min-w-0">
          <summary className="flex w-fit items-center gap-1 rounded text-ink-soft text-xs hover:text-ink">
            <ChevronRight
              aria-hidden
              size={13}
              className="text-ink-faint transition-transform group-open:rotate-90"
            />
            Response
          </summary>
          <ScrollArea
            aria-label={`Response to attempt ${number}`}
            className="mt-1 max-h-40 rounded-lg border bg-surface p-2"
          >
            <pre className="whitespace-pre-wrap font-mono text-xs [overflow-wrap:anywhere]">{excerpt}</pre>
          </ScrollArea>
        </details>
      ) : null}
    </Step>
  );
}

/** Returns the pause between two attempts, in ms. */
function pause(before: AttemptView, attempt: AttemptView): number {
  return Math.max(0, attempt.startedAt.getTime() - before.startedAt.getTime() - before.durationMs);
}

function Step({ tone, isLast, children }: { tone: DotTone; isLast: boolean; children: ReactNode }) {
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)] gap-0.5 pb-4 pl-5 text-list last:pb-0">
      {isLast ? null : (
        <span
          aria-hidden
          className="absolute top-3 bottom-[-0.25rem] left-[0.1875rem] w-px bg-line-control"
        />
      )}
      <span aria-hidden className={cx('absolute top-1.5 left-0 size-2 rounded-full', dotClass(tone))} />
      {children}
    </li>
  );
}
