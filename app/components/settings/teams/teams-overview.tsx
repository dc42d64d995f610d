import { Network } from 'lucide-react';
import Link from 'next/link';
import { ManagedList } from '#app/components/settings/managed-list.tsx';
import { deleteTeam } from '#app/components/settings/teams/actions.ts';
import { AssignmentDialog } from '#app/components/settings/teams/assignment-dialog.tsx';
import { describeAssignment } from '#app/components/settings/teams/assignment-words.ts';
import { TeamDialog, TeamMembers } from '#app/components/settings/teams/team-controls.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/session.ts';
import { countedWords, pluralize } from '#app/lib/format-count.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { TeamsView, TeamView } from '#server/screens/settings/people-views.ts';

type Props = { workspaceName: string; role: string };

/** Lists teams. Owners and admins can edit them. */
export async function TeamsOverview({ workspaceName, role }: Props) {
  const { mayManage, teams, teamsMax, teammates } = await (await getScreens()).teams.get();
  return (
    <ManagedList
      id="teams"
      one="team"
      count={teams.length}
      max={teamsMax}
      mayManage={mayManage}
      managers={{ workspaceName, role, what: 'create teams and choose their members' }}
      add={<TeamDialog />}
      empty={(add) => (
        <EmptyState icon={Network} title="Assign conversations to a team" action={add}>
          <p>
            Members of a team, for example Billing, share conversations and are notified when one is overdue.
            The team can assign them by itself.
          </p>
        </EmptyState>
      )}
      focusOn={`${teams.length} ${teams.reduce((sum, { members }) => sum + members.length, 0)}`}
    >
      <ul aria-labelledby="teams" className="divide-y">
        {teams.map((team) => (
          <TeamItem key={team.id} team={team} teammates={teammates} mayManage={mayManage} />
        ))}
      </ul>
    </ManagedList>
  );
}

type TeamItemProps = { team: TeamView; teammates: TeamsView['teammates']; mayManage: boolean };

function TeamItem({ team, teammates, mayManage }: TeamItemProps) {
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
          <p className="text-ink-soft text-list">{describeAssignment(team)}</p>
        </div>
        {mayManage ? (
          <div className="-mr-3.5 flex gap-1 max-sm:-ml-3.5">
            <AssignmentDialog team={team} />
            <TeamDialog team={{ id, name }} />
            <DeleteButton
              name={name}
              title={`Delete the team ${name}?`}
              act={deleteTeam.bind(null, id)}
              variant="quiet"
            >
              <p>
                {conversations.count === 0
                  ? 'The team has no conversations.'
                  : `${countedWords(conversations, 'conversation')} will have no team.`}{' '}
                Automations that assign to this team will no longer assign a team.
              </p>
              <p>This can’t be undone.</p>
            </DeleteButton>
          </div>
        ) : null}
      </div>
      <TeamMembers team={team} teammates={teammates} mayManage={mayManage} />
    </li>
  );
}
