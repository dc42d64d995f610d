import { deleteFlow } from '#app/components/settings/flows/actions.ts';
import { FlowDialog } from '#app/components/settings/flows/flow-dialog.tsx';
import type { FlowChoices } from '#app/components/settings/flows/flow-form.tsx';
import { FlowToggle } from '#app/components/settings/flows/flow-toggle.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { FlowView } from '#server/screens/settings/channel-views.ts';

type Props = { flow: FlowView; mayManage: boolean; choices: FlowChoices };

/** One flow: what it is called, whether it is on, and what it does in a sentence. */
export function FlowItem({ flow, mayManage, choices }: Props) {
  const { id, name, enabled, sentence, problem } = flow;
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
      {mayManage ? (
        <div className="-ml-3.5 flex gap-1">
          <FlowDialog flow={flow} choices={choices} />
          <DeleteButton name={name} act={deleteFlow.bind(null, id)} variant="quiet">
            <p>It no longer runs for new conversations. What it did stays.</p>
            <p>This cannot be undone. To pause it, turn it off instead.</p>
          </DeleteButton>
        </div>
      ) : null}
    </li>
  );
}
