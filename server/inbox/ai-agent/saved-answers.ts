import { validate as isUuid } from 'uuid';
import { textProblem } from '#server/contract/fields.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';
import type { NextStatus } from '#server/inbox/ai-agent/ai-agent.ts';
import { toNextStatus } from '#server/inbox/ai-agent/load-question.ts';
import { asManager } from '#server/teammates/require-role.ts';

export type SavedAnswerView = {
  id: string;
  question: string;
  answer: string;
  /** Status of the conversation after this answer. */
  nextStatus: NextStatus;
};

/** Maximum number of saved answers per workspace. */
export const ANSWERS_MAX = 500;

type By = { workspaceId: string; by: Teammate };

/** Returns the saved answers of a workspace, sorted by question. */
export async function listAnswers(db: Db, workspaceId: string): Promise<SavedAnswerView[]> {
  const answers = await db.savedAnswer.findMany({
    where: { workspaceId },
    select: { id: true, question: true, answer: true, nextStatus: true },
  });
  return answers
    .map((saved) => ({ ...saved, nextStatus: toNextStatus(saved.nextStatus) }))
    .sort((a, b) => a.question.localeCompare(b.question, 'en') || (a.id < b.id ? -1 : 1));
}

/**
 * Adds a saved answer and returns its id.
 * @throws Refusal when `by` is neither owner nor admin, a text is invalid, or the workspace has 500 answers
 */
export async function addAnswer({ workspaceId, by, ...fields }: By & AnswerFields): Promise<{ id: string }> {
  const data = { workspaceId, ...parseAnswer(fields) };
  return asManager({ workspaceId, by }, async (tx) => {
    if ((await tx.savedAnswer.count({ where: { workspaceId } })) >= ANSWERS_MAX) {
      throw invalid({
        question: [`A workspace can have up to ${ANSWERS_MAX} saved answers. Delete one first.`],
      });
    }
    return tx.savedAnswer.create({ data, select: { id: true } });
  });
}

/** @throws Refusal when `by` is neither owner nor admin, a text is invalid, or the answer does not exist */
export async function updateAnswer({
  workspaceId,
  by,
  id,
  ...fields
}: By & AnswerFields & { id: string }): Promise<void> {
  const data = parseAnswer(fields);
  await asManager({ workspaceId, by }, async (tx) => {
    const { count } = await tx.savedAnswer.updateMany({ where: whereAnswer(workspaceId, id), data });
    if (count === 0) throw notFound('The saved answer');
  });
}

/**
 * Deletes a saved answer. Idempotent.
 * @throws Refusal when `by` is neither owner nor admin
 */
export async function deleteAnswer({ workspaceId, by, id }: By & { id: string }): Promise<void> {
  await asManager({ workspaceId, by }, (tx) =>
    tx.savedAnswer.deleteMany({ where: whereAnswer(workspaceId, id) }),
  );
}

function whereAnswer(workspaceId: string, id: string) {
  if (!isUuid(id)) throw notFound('The saved answer');
  return { workspaceId, id };
}

/** Maximum lengths, in code points. */
export const QUESTION_MAX_LENGTH = 500;
export const ANSWER_MAX_LENGTH = 4_000;

type AnswerFields = { question: string; answer: string; nextStatus: NextStatus };

/**
 * Trims and validates a question and its answer.
 * @throws Refusal with a message for each text that is empty or too long
 */
function parseAnswer({ question, answer, nextStatus }: AnswerFields): AnswerFields {
  const trimmed = { question: question.trim(), answer: answer.trim(), nextStatus };
  const errors: FieldErrors = {
    ...problemOf('question', trimmed.question, QUESTION_MAX_LENGTH),
    ...problemOf('answer', trimmed.answer, ANSWER_MAX_LENGTH),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return trimmed;
}

function problemOf(field: 'question' | 'answer', text: string, max: number): FieldErrors {
  const problem = text === '' ? `The ${field} must not be empty.` : textProblem(text, { label: field, max });
  return problem ? { [field]: [problem] } : {};
}
