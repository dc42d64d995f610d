import { pluralize } from '#app/lib/format/pluralize.ts';
import type { ConnectionHook } from '#server/automation/connections/views.ts';

/** So many are named; of more, the rest is counted. */
const NAMED = 5;

/** Which workflows stop when their connection ends. */
export function StoppingWorkflows({
  hooks,
}: {
  hooks: Pick<ConnectionHook, 'id' | 'eventName' | 'filter'>[];
}) {
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
