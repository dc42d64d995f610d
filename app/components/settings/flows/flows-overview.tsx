import { Waypoints } from 'lucide-react';
import { deleteFlow } from '#app/components/settings/flows/actions.ts';
import { type FlowChoices, FlowDialog } from '#app/components/settings/flows/flow-form.tsx';
import { FlowToggle } from '#app/components/settings/flows/flow-toggle.tsx';
import { ManagedList } from '#app/components/settings/managed-list.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { getScreens } from '#app/data/session.ts';
import type { FlowView } from '#server/screens/settings/channel-views.ts';

type Props = { workspaceName: string; role: string };

/** Lists flows in execution order. Owners and admins can edit them. */
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
        <EmptyState
          icon={Waypoints}
          title={mayManage ? 'Automate routine work' : 'Nothing is automated'}
          action={add}
        >
          <p>
            {mayManage
              ? 'For example: when a new conversation mentions “refund”, tag it and assign it to the Billing team. When one stays pending for three days, close it.'
              : 'An automation can tag new conversations that mention “refund” and assign them to the Billing team.'}
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

type FlowItemProps = { flow: FlowView; mayManage: boolean; choices: FlowChoices };

function FlowItem({ flow, mayManage, choices }: FlowItemProps) {
  const { id, name, enabled, sentence, problem, lastRunAt } = flow;
  const nameId = `flow-${id}`;
  return (
    <li aria-labelledby={nameId} className="grid gap-2 px-5 py-4 max-md:px-4">
      <div className="flex items-start gap-4">
        <p id={nameId} dir="auto" className="min-w-0 grow font-semibold [overflow-wrap:anywhere]">
          {name}
        </p>
        {mayManage ? (
          <FlowToggle id={id} name={name} labelId={nameId} enabled={enabled} />
        ) : (
          <span className="text-ink-soft text-list">{enabled ? 'On' : 'Off'}</span>
        )}
      </div>
      {sentence ? (
        <p className="max-w-[70ch] text-pretty text-ink-soft [overflow-wrap:anywhere]">{sentence}</p>
      ) : null}
      {problem ? (
        <p className="text-list">
          <StatusDot tone="bad" wrap>
            <span>{problem}</span>
          </StatusDot>
        </p>
      ) : null}
      {lastRunAt ? (
        <p className="text-ink-soft text-list">
          Last ran <RelativeTime at={lastRunAt} />
        </p>
      ) : null}
      {mayManage ? (
        <div className="-ml-3.5 flex gap-1">
          <FlowDialog flow={flow} choices={choices} />
          <DeleteButton name={name} act={deleteFlow.bind(null, id)} variant="quiet">
            <p>It no longer runs. Its past changes stay.</p>
            <p>This can’t be undone. To pause the automation, turn it off instead.</p>
          </DeleteButton>
        </div>
      ) : null}
    </li>
  );
}
