import type { ReactNode } from 'react';
import { CodeBlock } from '#app/components/docs/code-block.tsx';
import { AttemptTimeline } from '#app/components/integrations/attempt-timeline.tsx';
import { LogRow } from '#app/components/integrations/log-row.tsx';
import { RedeliverButton } from '#app/components/integrations/redeliver-buttons.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { DescriptionItem, DescriptionList, TimeItem } from '#app/components/ui/description-list.tsx';
import { HeaderCell, Table, TableHead } from '#app/components/ui/table.tsx';
import { cx } from '#app/lib/cx.ts';
import type { LogView } from '#app/lib/log-path.ts';
import type { DeliveryPage, DeliveryRow, OpenDelivery } from '#server/screens/integrations/views.ts';

type Props = { page: DeliveryPage; view: LogView; open: OpenDelivery | null; platformName: string };

/** A page of the log. An open delivery that is not on this page comes first. */
export function LogTable({ page, view, open, platformName }: Props) {
  const elsewhere = open && !page.rows.some(({ id }) => id === open.id) ? [rowOf(open)] : [];
  return (
    <Card className="overflow-hidden">
      <Table>
        <caption className="sr-only">Events sent to workflows, newest first</caption>
        <TableHead>
          <HeaderCell className="pr-2">Event</HeaderCell>
          <Column className="w-60 max-md:w-0 max-md:p-0" narrowClass="max-md:sr-only">
            Outcome
          </Column>
          <Column className="w-20 text-right max-md:w-0 max-md:p-0" narrowClass="max-md:sr-only">
            Attempts
          </Column>
          <Column className="w-20 text-right max-lg:w-0 max-lg:p-0" narrowClass="max-lg:sr-only">
            Duration
          </Column>
          <HeaderCell className="w-20 pl-2 text-right">When</HeaderCell>
        </TableHead>
        <tbody>
          {[...elsewhere, ...page.rows].map((row) => (
            <LogRow key={row.id} row={row} view={view} isOpen={row.id === open?.id}>
              {row.id === open?.id ? <DeliveryDetails delivery={open} platformName={platformName} /> : null}
            </LogRow>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

type ColumnProps = { className: string; narrowClass: string; children: ReactNode };

/** A column hidden on narrow screens. It stays in the table without width, because expanded rows span all columns. */
function Column({ className, narrowClass, children }: ColumnProps) {
  return (
    <HeaderCell className={cx('px-2', className)}>
      <span className={narrowClass}>{children}</span>
    </HeaderCell>
  );
}

function rowOf({ attemptList, ...delivery }: OpenDelivery): DeliveryRow {
  return { ...delivery, lastAttempt: attemptList.at(-1) ?? null };
}

type DeliveryDetailsProps = { delivery: OpenDelivery; platformName: string };

function DeliveryDetails({ delivery, platformName }: DeliveryDetailsProps) {
  const { hook, summary, body, eventId, occurredAt, canRedeliver, endedAt } = delivery;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 p-4 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:px-9">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        <div className="grid justify-items-start gap-3">
          <p className="max-w-[65ch] text-pretty text-sm">{summary}</p>
          {canRedeliver ? <RedeliverButton delivery={delivery} platformName={platformName} /> : null}
          {endedAt && hook.removed ? (
            <p className="max-w-[65ch] text-pretty text-ink-soft text-list">
              This event can’t be redelivered because the workflow was removed.
              {summary.includes(hook.removed) ? null : ` ${hook.removed}`}
            </p>
          ) : null}
        </div>
        <AttemptTimeline delivery={delivery} />
      </div>
      <div className="lg:row-span-2">
        <CodeBlock title="Event sent" text={body} json />
      </div>
      <div>
        <DescriptionList>
          <TimeItem name="Happened" at={occurredAt} />
          <DescriptionItem name="Event ID, the same in every attempt">
            <span className="font-mono text-xs">{eventId}</span>
          </DescriptionItem>
          <DescriptionItem name="Sent to">
            <span className="font-mono text-xs">{hook.targetUrl}</span>
          </DescriptionItem>
          <DescriptionItem name="Connected by">{hook.teammateName}</DescriptionItem>
        </DescriptionList>
      </div>
    </div>
  );
}
