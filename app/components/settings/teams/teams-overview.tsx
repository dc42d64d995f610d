import { Network } from 'lucide-react';
import { TeamDialog } from '#app/components/settings/teams/team-dialog.tsx';
import { TeamItem } from '#app/components/settings/teams/team-item.tsx';
import { FocusWhenLost } from '#app/components/ui/forms/focus-when-lost.tsx';
import { Card } from '#app/components/ui/layout/card.tsx';
import { EmptyState } from '#app/components/ui/layout/empty-state.tsx';
import { ManagersNote } from '#app/components/ui/managers-note.tsx';
import { openScreens } from '#app/data/open-screens.ts';
import { pluralize } from '#app/lib/format/pluralize.ts';

type Props = { workspaceName: string; role: string };

/** The teams with their members; for owners and admins with what they may change. */
export async function TeamsOverview({ workspaceName, role }: Props) {
  const { mayManage, teams, teamsMax, teammates } = await (await openScreens()).teams.show();
  const add = mayManage && teams.length < teamsMax ? <TeamDialog /> : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {mayManage ? null : (
        <ManagersNote
          workspaceName={workspaceName}
          role={role}
          what="create teams and choose their members"
        />
      )}
      <section aria-labelledby="teams" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="teams" tabIndex={-1} className="text-base">
            {teams.length === 0 ? 'No teams yet' : pluralize(teams.length, 'team')}
          </h2>
          {teams.length > 0 ? add : null}
        </div>
        <Card>
          {teams.length === 0 ? (
            <EmptyState icon={Network} title="Assign conversations to a team" action={add}>
              <p>
                A team, for example Billing, shares conversations among its members. They are notified when
                one of them is overdue.
              </p>
            </EmptyState>
          ) : (
            <ul aria-labelledby="teams" className="divide-y">
              {teams.map((team) => (
                <TeamItem key={team.id} team={team} teammates={teammates} mayManage={mayManage} />
              ))}
            </ul>
          )}
        </Card>
        {mayManage && teams.length >= teamsMax ? (
          <p className="text-ink-soft text-list">A workspace can have up to {teamsMax} teams.</p>
        ) : null}
        <FocusWhenLost
          on={`${teams.length} ${teams.reduce((sum, { members }) => sum + members.length, 0)}`}
          goTo="teams"
        />
      </section>
    </div>
  );
}
