import Link from 'next/link';
import { AgentToggle } from '#app/components/settings/ai-agent/agent-toggle.tsx';
import { SavedAnswers } from '#app/components/settings/ai-agent/saved-answers.tsx';
import { ManagersNote } from '#app/components/settings/managers-note.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/get-screens.ts';

type Props = { workspaceName: string; role: string };

/** Whether the agent answers contacts, from what, and the way to try it out. */
export async function AgentSettings({ workspaceName, role }: Props) {
  const view = await (await getScreens()).aiAgent.get();
  const { enabled, mayManage, mayTest, answers } = view;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {mayManage ? null : (
        <ManagersNote
          workspaceName={workspaceName}
          role={role}
          what="turn the AI agent on and off and save answers"
        />
      )}
      <Section
        id="answering"
        title="Answering"
        about="It answers only when it is sure what the contact is asking. Once a teammate replies, it stays out of that conversation."
      >
        <AgentToggle enabled={enabled} mayManage={mayManage} hasAnswers={answers.length > 0} />
        {mayTest ? (
          <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4 max-md:px-4">
            <p className="min-w-0 grow basis-60 text-ink-soft text-list">
              Try it before your contacts do. Testing works while the agent is off, too.
            </p>
            <Link href="/settings/ai-agent/test" className={buttonClass('secondary', 'max-md:w-full')}>
              Test the agent
            </Link>
          </div>
        ) : null}
      </Section>
      <SavedAnswers view={view} />
    </div>
  );
}
