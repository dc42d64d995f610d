import Link from 'next/link';
import { SourceItem } from '#app/components/settings/visibility/source-item.tsx';
import { TeammateItem } from '#app/components/settings/visibility/teammate-item.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/session.ts';

/** Lists the channels with the teams that see them, and the teammates who may be limited to assigned conversations. */
export async function VisibilitySettings() {
  const { sources, teams, teammates } = await (await getScreens()).visibility.get();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section
        id="channels"
        title="Channels"
        about="Choose the teams that see the conversations of a mailbox or another channel."
      >
        <ul aria-labelledby="channels" className="divide-y">
          {sources.map((source) => (
            <SourceItem
              key={`${source.mailboxId} ${source.channelAccountId}`}
              source={source}
              teams={teams}
            />
          ))}
        </ul>
        {teams.length === 0 ? (
          <p className="px-5 py-3.5 text-ink-soft text-list max-md:px-4">
            To let only some teammates see a channel,{' '}
            <Link href="/settings/teams" className="text-accent-ink hover:underline">
              create a team
            </Link>{' '}
            first.
          </p>
        ) : null}
      </Section>
      <Section
        id="teammates"
        title="Teammates"
        about="Agents and viewers can be limited to the conversations that are assigned to them or their teams."
      >
        {teammates.length === 0 ? (
          <p className="px-5 py-3.5 text-ink-soft text-list max-md:px-4">
            Only owners and admins are in this workspace. They see all conversations.
          </p>
        ) : (
          <ul aria-labelledby="teammates" className="divide-y">
            {teammates.map((teammate) => (
              <TeammateItem key={teammate.id} teammate={teammate} />
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}
