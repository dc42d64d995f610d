import { HoursForm } from '#app/components/settings/business-hours/hours-form.tsx';
import { TeamHours } from '#app/components/settings/business-hours/team-hours.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/session.ts';

/** Business hours of the workspace and of each team. */
export async function BusinessHoursSettings() {
  const { hours, teams } = await (await getScreens()).businessHours.get();
  const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section
        id="workspace-hours"
        title="Workspace"
        about="For conversations without a team, and for teams without their own hours."
      >
        <div className="p-5 max-md:p-4">
          <HoursForm teamId={null} hours={hours} timeZones={timeZones} />
        </div>
      </Section>
      {teams.length > 0 ? (
        <Section
          id="team-hours"
          title="Teams"
          about="A team that works at other times, or elsewhere, can have its own hours and holidays."
        >
          <ul aria-labelledby="team-hours" className="divide-y">
            {teams.map((team) => (
              <TeamHours key={team.id} team={team} timeZones={timeZones} />
            ))}
          </ul>
        </Section>
      ) : null}
    </div>
  );
}
