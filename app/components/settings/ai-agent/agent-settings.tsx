import { MessageCircleQuestionMark } from 'lucide-react';
import Link from 'next/link';
import { AgentToggle } from '#app/components/settings/ai-agent/agent-toggle.tsx';
import {
  AnswerDialog,
  type AnswerLimits,
  DeleteAnswerButton,
} from '#app/components/settings/ai-agent/answer-dialog.tsx';
import { ManagersNote } from '#app/components/settings/managed-list.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { Section } from '#app/components/ui/section.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { getScreens } from '#app/data/session.ts';
import type { AgentView, SavedAnswerView } from '#server/screens/settings/channel-views.ts';

type Props = { workspaceName: string; role: string };

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
        about="The AI agent answers only when it is confident about the question. It stops once a teammate replies."
      >
        <AgentToggle enabled={enabled} mayManage={mayManage} hasAnswers={answers.length > 0} />
        {mayTest ? (
          <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4 max-md:px-4">
            <p className="min-w-0 grow basis-60 text-ink-soft text-list">
              Try the agent before your contacts do. Testing also works while it is off.
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

function SavedAnswers({ view }: { view: AgentView }) {
  const { answers, answersMax, mayManage } = view;
  const limits = { question: view.questionMaxLength, answer: view.answerMaxLength };
  return (
    <Section
      id="saved-answers"
      title="Saved answers"
      about="Questions in your contacts’ words, with their answers. The agent also recognizes similar wording, like “where are my orders”."
    >
      {answers.length === 0 ? (
        <EmptyState
          icon={MessageCircleQuestionMark}
          title="No saved answers yet"
          action={mayManage ? <AnswerDialog limits={limits} /> : undefined}
        >
          <p>
            {mayManage
              ? 'Start with the question your team answers most often.'
              : 'The AI agent answers only with saved answers.'}
          </p>
        </EmptyState>
      ) : (
        <>
          <ul aria-labelledby="saved-answers" className="divide-y">
            {answers.map((saved) => (
              <SavedAnswerItem key={saved.id} saved={saved} mayManage={mayManage} limits={limits} />
            ))}
          </ul>
          {mayManage ? (
            <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4 max-md:px-4">
              <p className="tabular text-ink-soft text-list">
                {answers.length} of {answersMax} saved answers
              </p>
              {answers.length < answersMax ? <AnswerDialog limits={limits} /> : null}
            </div>
          ) : null}
        </>
      )}
      <FocusWhenLost on={answers.length} goTo="saved-answers" />
    </Section>
  );
}

type SavedAnswerItemProps = { saved: SavedAnswerView; mayManage: boolean; limits: AnswerLimits };

function SavedAnswerItem({ saved, mayManage, limits }: SavedAnswerItemProps) {
  const { id, question, answer, nextStatus } = saved;
  const nameId = `answer-${id}`;
  return (
    <li aria-labelledby={nameId} className="grid gap-2 px-5 py-4 max-md:px-4">
      <p id={nameId} dir="auto" className="font-semibold [overflow-wrap:anywhere]">
        {question}
      </p>
      <p dir="auto" className="line-clamp-4 whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
        {answer}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="text-ink-soft text-list">
          <StatusDot tone={nextStatus === 'solved' ? 'done' : 'waiting'}>
            Then sets the conversation to {nextStatus}
          </StatusDot>
        </span>
        {mayManage ? (
          <span className="flex gap-1 max-md:-ml-3.5 md:-mr-3.5">
            <AnswerDialog saved={saved} limits={limits} />
            <DeleteAnswerButton saved={saved} />
          </span>
        ) : null}
      </div>
    </li>
  );
}
