import { disconnect } from '#app/components/integrations/actions.ts';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { pluralize } from '#app/lib/pluralize.ts';
import type { ConnectionHook } from '#server/screens/integrations/views.ts';

/** So many are named; of more, the rest is counted. */
const NAMED = 5;

type Props = {
  connectionId: string;
  teammateName: string;
  platformName: string;
  hooks: Pick<ConnectionHook, 'id' | 'eventName' | 'filter'>[];
};

/** Ends a connection, after saying what will stop. */
export function DisconnectButton({ connectionId, teammateName, platformName, hooks }: Props) {
  const name = `${teammateName}’s connection`;
  return (
    <DeleteButton
      verb="Disconnect"
      name={name}
      done={`${name} has ended`}
      act={disconnect.bind(null, connectionId)}
    >
      <StoppingWorkflows hooks={hooks} />
      <p>Nothing in {platformName} can read, write or reply through it from this moment on.</p>
      <p>What was done through it stays. To use it again, reconnect in {platformName}.</p>
    </DeleteButton>
  );
}

function StoppingWorkflows({ hooks }: Pick<Props, 'hooks'>) {
  if (hooks.length === 0) return <p>No workflows use this connection at the moment.</p>;
  const rest = hooks.length - NAMED;
  return (
    <>
      <p>
        {pluralize(hooks.length, 'live workflow')} {hooks.length === 1 ? 'stops' : 'stop'} receiving events:
      </p>
      <ul className="grid list-disc gap-1 pl-5">
        {hooks.slice(0, NAMED).map(({ id, eventName, filter }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            {eventName}
            {filter ? `: ${filter}` : ''}
          </li>
        ))}
        {rest > 0 ? <li>and {rest.toLocaleString('en-GB')} more</li> : null}
      </ul>
    </>
  );
}
