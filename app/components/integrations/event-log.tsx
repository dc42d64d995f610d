import { ListX, ScrollText } from 'lucide-react';
import Link from 'next/link';
import { LogFilter } from '#app/components/integrations/log-filter.tsx';
import { LogTable } from '#app/components/integrations/log-table.tsx';
import { RedeliverFailedButton } from '#app/components/integrations/redeliver-buttons.tsx';
import { ScrollToFragment } from '#app/components/integrations/scroll-to-fragment.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { listHooks } from '#app/data/cached-reads.ts';
import { getScreens } from '#app/data/session.ts';
import { hasFilters, type LogView, logFilter, logPath } from '#app/lib/log-path.ts';

/** Log of deliveries with their outcome and redelivery. */
export async function EventLog({ view, platformName }: { view: LogView; platformName: string }) {
  const { deliveries } = await getScreens();
  const [page, open, failed, { live, removed }] = await Promise.all([
    deliveries.list(logFilter(view)),
    view.delivery ? deliveries.get({ id: view.delivery }) : null,
    deliveries.countFailed({ hookId: view.hook }),
    listHooks(),
  ]);
  return (
    <section aria-labelledby="event-log" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="event-log" className="scroll-mt-4 text-base">
          Event log
        </h2>
        <ScrollToFragment id="event-log" />
        {failed > 0 ? (
          <RedeliverFailedButton failed={failed} hookId={view.hook} platformName={platformName} />
        ) : null}
      </div>
      <LogFilter fields={view} live={live} removed={removed} />
      {page.rows.length > 0 || open ? (
        <LogTable page={page} view={view} open={open} platformName={platformName} />
      ) : (
        <EmptyLog view={view} platformName={platformName} />
      )}
      <Pages view={view} older={page.older} />
    </section>
  );
}

function EmptyLog({ view, platformName }: { view: LogView; platformName: string }) {
  return (
    <Card>
      {hasFilters(view) ? (
        <EmptyState
          icon={ListX}
          title="No events match the filter"
          action={
            <Link href={logPath({})} scroll={false} className={buttonClass('secondary')}>
              Show all events
            </Link>
          }
        >
          <p>Widen or clear the filter.</p>
        </EmptyState>
      ) : (
        <EmptyState icon={ScrollText} title={view.page ? 'No older events' : 'No events yet'}>
          <p>Events sent to workflows in {platformName} appear here, with every attempt and response.</p>
        </EmptyState>
      )}
    </Card>
  );
}

function Pages({ view, older }: { view: LogView; older: string | null }) {
  if (!view.page && !older) return null;
  const link = (page: string | undefined) => logPath({ ...view, delivery: undefined, page });
  return (
    <nav aria-label="Pages of the event log" className="flex justify-between gap-2">
      {view.page ? (
        <Link href={`${link(undefined)}#event-log`} className={buttonClass('secondary')}>
          Newest
        </Link>
      ) : (
        <span />
      )}
      {older ? (
        <Link href={`${link(older)}#event-log`} className={buttonClass('secondary')}>
          Older
        </Link>
      ) : null}
    </nav>
  );
}
