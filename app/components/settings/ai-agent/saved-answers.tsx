import { MessageCircleQuestionMark } from 'lucide-react';
import { AnswerDialog } from '#app/components/settings/ai-agent/answer-dialog.tsx';
import { SavedAnswerItem } from '#app/components/settings/ai-agent/saved-answer-item.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/focus-when-lost.tsx';
import { Section } from '#app/components/ui/section.tsx';
import type { AgentView } from '#server/screens/settings/channel-views.ts';

/** What the agent answers from, by question, and the way to add to it. */
export function SavedAnswers({ view }: { view: AgentView }) {
  const { answers, answersMax, mayManage } = view;
  const limits = { question: view.questionMaxLength, answer: view.answerMaxLength };
  return (
    <Section
      id="saved-answers"
      title="Saved answers"
      about="A question in your contacts’ words, and the answer to it. The agent also recognises the question in slightly different words, like “where are my orders”."
    >
      {answers.length === 0 ? (
        <EmptyState
          icon={MessageCircleQuestionMark}
          title="No saved answers yet"
          action={mayManage ? <AnswerDialog limits={limits} /> : undefined}
        >
          <p>Start with the question your team answers most often.</p>
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
