import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { HookHealthLine } from '#app/components/integrations/health-lines.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { HeaderCell, Table, TableHead } from '#app/components/ui/table.tsx';
import { pluralize } from '#app/lib/format-count.ts';
import { logPath } from '#app/lib/log-path.ts';
import type { ConnectionHook } from '#server/screens/integrations/views.ts';

/** Live workflows of a connection. */
export function HookTable({ hooks }: { hooks: ConnectionHook[] }) {
  return (
    <details className="group border-t" open={hooks.length <= 5}>
      <summary className="focus-inset flex h-11 items-center gap-1.5 rounded-b-lg px-5 font-medium text-list hover:bg-hover">
        <ChevronRight
          aria-hidden
          size={15}
          className="text-ink-faint transition-transform group-open:rotate-90"
        />
        {pluralize(hooks.length, 'live workflow')}
      </summary>
      <Table className="table-auto">
        <TableHead className="border-y">
          <HeaderCell className="pr-0 pl-5">Starts with</HeaderCell>
          <HeaderCell className="max-md:hidden">Filter</HeaderCell>
          <HeaderCell>Deliveries</HeaderCell>
          <HeaderCell className="pr-5 pl-0 text-right">Created</HeaderCell>
        </TableHead>
        <tbody className="divide-y">
          {hooks.map((hook) => (
            <tr key={hook.id}>
              <th scope="row" className="py-2 pl-5 align-baseline font-medium">
                {hook.eventName}
                {hook.filter ? (
                  <span className="font-normal text-ink-soft [overflow-wrap:anywhere] md:hidden">
                    : {hook.filter}
                  </span>
                ) : null}
              </th>
              <td className="px-4 py-2 align-baseline text-ink-soft [overflow-wrap:anywhere] max-md:hidden">
                {hook.filter ?? 'None'}
              </td>
              <td className="px-4 py-2 align-baseline">
                <HookHealthLine health={hook.health} />
                <LastErrors hook={hook} />
              </td>
              <td className="whitespace-nowrap py-2 pr-5 align-baseline text-right text-ink-soft">
                <RelativeTime at={hook.createdAt} style="lists" />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </details>
  );
}

/** Link to the recent errors in the log, if there are any. */
function LastErrors({ hook: { id, eventName, filter, health } }: { hook: ConnectionHook }) {
  if (health.kind === 'quiet' || health.kind === 'normal' || health.kind === 'slowed') return null;
  const outcome = health.kind === 'failing' ? 'failed' : 'retrying';
  return (
    <Link
      href={`${logPath({ hook: id, outcome })}#event-log`}
      aria-label={`Recent errors: ${eventName}${filter ? `, ${filter}` : ''}`}
      className="block w-fit font-medium text-accent-ink hover:underline"
    >
      {' '}
      Recent errors{' '}
    </Link>
  );
}
