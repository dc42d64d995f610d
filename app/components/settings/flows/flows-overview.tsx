import { Waypoints } from 'lucide-react';
import { FlowDialog } from '#app/components/settings/flows/flow-dialog.tsx';
import { FlowItem } from '#app/components/settings/flows/flow-item.tsx';
import { ManagedList } from '#app/components/settings/managed-list.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/get-screens.ts';

type Props = { workspaceName: string; role: string };

/** The flows in the order in which they run; for owners and admins with what they may change. */
export async function FlowsOverview({ workspaceName, role }: Props) {
  const { mayManage, flows, flowsMax, teammates, teams, channels } = await (await getScreens()).flows.get();
  const choices = { teammates, teams, channels };
  return (
    <ManagedList
      id="flows"
      one="automation"
      count={flows.length}
      max={flowsMax}
      mayManage={mayManage}
      managers={{ workspaceName, role, what: 'create automations and turn them on and off' }}
      add={<FlowDialog choices={choices} />}
      empty={(add) => (
        <EmptyState icon={Waypoints} title="Let routine work run automatically" action={add}>
          <p>
            For example: when a new conversation mentions “refund”, tag it and assign it to the Billing team.
          </p>
        </EmptyState>
      )}
      focusOn={flows.length}
    >
      <ol aria-labelledby="flows" className="divide-y">
        {flows.map((flow) => (
          <FlowItem key={flow.id} flow={flow} mayManage={mayManage} choices={choices} />
        ))}
      </ol>
    </ManagedList>
  );
}
