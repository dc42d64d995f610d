import { Network } from 'lucide-react';
import { ManagedList } from '#app/components/settings/managed-list.tsx';
import { TeamDialog } from '#app/components/settings/teams/team-dialog.tsx';
import { TeamItem } from '#app/components/settings/teams/team-item.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/get-screens.ts';

type Props = { workspaceName: string; role: string };

/** The teams with their members; for owners and admins with what they may change. */
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
            A team, for example Billing, shares conversations among its members. They are notified when one of
            them is overdue.
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
