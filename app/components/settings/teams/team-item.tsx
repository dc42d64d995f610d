import Link from 'next/link';
import { deleteTeam } from '#app/components/settings/teams/actions.ts';
import { TeamMembers } from '#app/components/settings/teams/team-controls.tsx';
import { TeamDialog } from '#app/components/settings/teams/team-dialog.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { countedWords } from '#app/lib/counted-words.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import { pluralize } from '#app/lib/pluralize.ts';
import type { TeamsView, TeamView } from '#server/screens/settings/views.ts';

type Props = { team: TeamView; teammates: TeamsView['teammates']; mayManage: boolean };

/** One team: what it is called, who is in it, and its conversations. */
export function TeamItem({ team, teammates, mayManage }: Props) {
  const { id, name, members, conversations } = team;
  const nameId = `team-${id}`;
  return (
    <li aria-labelledby={nameId} className="grid gap-3 px-5 py-4 max-md:px-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-0.5">
          <p id={nameId} dir="auto" className="font-semibold [overflow-wrap:anywhere]">
            {name}
          </p>
          <p className="text-ink-soft text-list">
            {pluralize(members.length, 'member')}
            {' · '}
            <Link
              href={inboxPath({ status: 'all', team: id, selected: undefined })}
              className="text-accent-ink hover:underline"
            >
              {countedWords(conversations, 'conversation')}
            </Link>
          </p>
        </div>
        {mayManage ? (
          <div className="-mr-3.5 flex gap-1 max-sm:-ml-3.5">
            <TeamDialog team={{ id, name }} />
            <DeleteButton
              name={name}
              title={`Delete the team ${name}?`}
              act={deleteTeam.bind(null, id)}
              variant="quiet"
            >
              <p>
                {conversations.count === 0
                  ? 'It has no conversations.'
                  : `${countedWords(conversations, 'conversation')} will have no team. Their timelines say so.`}{' '}
                Automations that assign to this team will no longer assign a team.
              </p>
              <p>This cannot be undone.</p>
            </DeleteButton>
          </div>
        ) : null}
      </div>
      <TeamMembers team={team} teammates={teammates} mayManage={mayManage} />
    </li>
  );
}
