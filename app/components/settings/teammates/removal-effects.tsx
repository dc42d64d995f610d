import { pluralize } from '#app/lib/format-count.ts';
import type { RemovalView } from '#server/screens/settings/views.ts';

type Props = { view: RemovalView; leaves: boolean; platformName: string };

/** Lists what is disconnected and unassigned when a teammate leaves. */
export function RemovalEffects({ view, leaves, platformName }: Props) {
  const { name, connections, liveWorkflows, conversations } = view;
  const whose = leaves ? 'Your' : `${name}’s`;
  const assignee = leaves ? 'you' : 'them';
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>
        {connections === 0
          ? `No connections to ${platformName} are affected.`
          : `${whose} ${connections === 1 ? 'connection' : `${connections} connections`} to ${platformName} will be disconnected immediately.`}
      </li>
      {liveWorkflows > 0 ? (
        <li>
          {pluralize(liveWorkflows, 'live workflow')} {liveWorkflows === 1 ? 'stops' : 'stop'} receiving
          events.
        </li>
      ) : null}
      {conversations > 0 ? (
        <li>
          {pluralize(conversations, 'conversation')} assigned to {assignee}{' '}
          {conversations === 1 ? 'becomes' : 'become'} unassigned.
        </li>
      ) : null}
    </ul>
  );
}
