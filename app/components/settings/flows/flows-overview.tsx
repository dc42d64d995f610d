import { Waypoints } from 'lucide-react';
import { FlowDialog } from '#app/components/settings/flows/flow-dialog.tsx';
import { FlowItem } from '#app/components/settings/flows/flow-item.tsx';
import { FocusWhenLost } from '#app/components/ui/forms/focus-when-lost.tsx';
import { Card } from '#app/components/ui/layout/card.tsx';
import { EmptyState } from '#app/components/ui/layout/empty-state.tsx';
import { ManagersNote } from '#app/components/ui/managers-note.tsx';
import { openScreens } from '#app/data/open-screens.ts';
import { pluralize } from '#app/lib/format/pluralize.ts';

type Props = { workspaceName: string; role: string };

/** The flows in the order in which they run; for owners and admins with what they may change. */
export async function FlowsOverview({ workspaceName, role }: Props) {
  const { mayManage, flows, flowsMax, teammates, teams, channels } = await (await openScreens()).flows.show();
  const choices = { teammates, teams, channels };
  const add = mayManage && flows.length < flowsMax ? <FlowDialog choices={choices} /> : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {mayManage ? null : (
        <ManagersNote
          workspaceName={workspaceName}
          role={role}
          what="create automations and turn them on and off"
        />
      )}
      <section aria-labelledby="flows" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="flows" tabIndex={-1} className="text-base">
            {flows.length === 0 ? 'No automations' : pluralize(flows.length, 'automation')}
          </h2>
          {flows.length > 0 ? add : null}
        </div>
        <Card>
          {flows.length === 0 ? (
            <EmptyState icon={Waypoints} title="No automations yet" action={add}>
              <p>
                For example: when a new conversation mentions “refund”, tag it and assign it to the Billing
                team.
              </p>
            </EmptyState>
          ) : (
            <ol aria-labelledby="flows" className="divide-y">
              {flows.map((flow) => (
                <FlowItem key={flow.id} flow={flow} mayManage={mayManage} choices={choices} />
              ))}
            </ol>
          )}
        </Card>
        {mayManage && flows.length >= flowsMax ? (
          <p className="text-ink-soft text-list">A workspace can have up to {flowsMax} automations.</p>
        ) : null}
        <FocusWhenLost on={flows.length} goTo="flows" />
      </section>
    </div>
  );
}
