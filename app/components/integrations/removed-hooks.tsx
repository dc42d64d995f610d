import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { Card } from '#app/components/ui/card.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { listHooks } from '#app/data/cached-reads.ts';
import { logPath } from '#app/lib/log-path.ts';
import type { RemovedHook } from '#server/screens/integrations/views.ts';

const SHOWN_MAX = 3;

/** Lists removed hooks with the reason, if there are any. */
export async function RemovedHooks() {
  const { removed } = await listHooks();
  if (removed.length === 0) return null;
  const rest = removed.slice(SHOWN_MAX);
  return (
    <section aria-labelledby="removed-hooks" className="grid gap-3">
      <h2 id="removed-hooks" className="text-base">
        Removed workflows
      </h2>
      <Card className="overflow-hidden">
        <RemovedList hooks={removed.slice(0, SHOWN_MAX)} />
        {rest.length > 0 ? (
          <details className="group border-t">
            <summary className="focus-inset flex h-10 items-center gap-1.5 px-5 font-medium text-list hover:bg-hover max-md:h-11">
              <ChevronRight
                aria-hidden
                size={15}
                className="text-ink-faint transition-transform group-open:rotate-90"
              />
              {rest.length} more
            </summary>
            <div className="border-t">
              <RemovedList hooks={rest} />
            </div>
          </details>
        ) : null}
      </Card>
    </section>
  );
}

function RemovedList({ hooks }: { hooks: RemovedHook[] }) {
  return (
    <ul className="divide-y text-list">
      {hooks.map(({ id, eventName, filter, teammateName, removedAt, why, whatToDo }) => (
        <li key={id} className="grid gap-1 px-5 py-3">
          <div className="flex items-baseline justify-between gap-4">
            <p className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-semibold">{eventName}</span>
              {filter ? <span className="text-ink-soft">: {filter}</span> : null}
              <span className="text-ink-faint text-xs"> connected by {teammateName}</span>
            </p>
            <RelativeTime at={removedAt} className="shrink-0 text-ink-soft" />
          </div>
          <p className="max-w-[75ch] text-pretty">
            {why} {whatToDo ? <span className="text-ink-soft">{whatToDo}</span> : null}
          </p>
          <Link
            href={`${logPath({ hook: id })}#event-log`}
            aria-label={`Events: ${eventName}${filter ? `, ${filter}` : ''}`}
            className="w-fit font-medium text-accent-ink hover:underline"
          >
            {' '}
            Events{' '}
          </Link>
        </li>
      ))}
    </ul>
  );
}
