import { AnswerDialog, type AnswerLimits } from '#app/components/settings/ai-agent/answer-dialog.tsx';
import { DeleteAnswerButton } from '#app/components/settings/ai-agent/delete-answer-button.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { SavedAnswerView } from '#server/screens/settings/channel-views.ts';

type Props = { saved: SavedAnswerView; mayManage: boolean; limits: AnswerLimits };

/** One question, its answer, and what the conversation becomes then. */
export function SavedAnswerItem({ saved, mayManage, limits }: Props) {
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
