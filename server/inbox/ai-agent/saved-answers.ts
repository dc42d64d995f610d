import { validate as isUuid } from 'uuid';
import { textProblem } from '#server/contract/fields.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';
import type { NextStatus } from '#server/inbox/ai-agent/ai-agent.ts';
import { asNext } from '#server/inbox/ai-agent/load-question.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** A question of contacts and the answer that the AI agent gives to it. */
export type SavedAnswerView = {
  id: string;
  question: string;
  answer: string;
  /** What the conversation becomes once it was answered. */
  nextStatus: NextStatus;
};

/** Saved answers of a workspace. */
export const ANSWERS_MAX = 500;

type By = { workspaceId: string; by: Teammate };

/** The saved answers of a workspace, by question. */
export async function listAnswers(db: Db, workspaceId: string): Promise<SavedAnswerView[]> {
  const answers = await db.savedAnswer.findMany({
    where: { workspaceId },
    select: { id: true, question: true, answer: true, nextStatus: true },
  });
  return answers
    .map((saved) => ({ ...saved, nextStatus: asNext(saved.nextStatus) }))
    .sort((a, b) => a.question.localeCompare(b.question, 'en') || (a.id < b.id ? -1 : 1));
}

/**
 * Teaches the AI agent an answer.
 * @returns its id
 * @throws Refusal when `by` is neither owner nor admin, a text cannot be, or there are 500 already
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

/**
 * Changes a saved answer.
 * @throws Refusal when `by` is neither owner nor admin, a text cannot be, or it is not there
 */
export async function updateAnswer(given: By & AnswerFields & { id: string }): Promise<void> {
  const { workspaceId, by, id, ...fields } = given;
  const data = parseAnswer(fields);
  await asManager({ workspaceId, by }, async (tx) => {
    const { count } = await tx.savedAnswer.updateMany({ where: whichOne(workspaceId, id), data });
    if (count === 0) throw notFound('The saved answer');
  });
}

/**
 * Deletes a saved answer; one that is gone already stays gone.
 * @throws Refusal when `by` is neither owner nor admin
 */
export async function deleteAnswer({ workspaceId, by, id }: By & { id: string }): Promise<void> {
  await asManager({ workspaceId, by }, (tx) =>
    tx.savedAnswer.deleteMany({ where: whichOne(workspaceId, id) }),
  );
}

function whichOne(workspaceId: string, id: string) {
  if (!isUuid(id)) throw notFound('The saved answer');
  return { workspaceId, id };
}

/** Characters in a question and in an answer. */
export const QUESTION_MAX_LENGTH = 500;
export const ANSWER_MAX_LENGTH = 4_000;

/** A question and its answer as they were typed. */
type AnswerFields = { question: string; answer: string; nextStatus: NextStatus };

/**
 * A question and its answer as they are kept: trimmed.
 * @throws Refusal when one of them is empty or too long, with a sentence for each
 */
function parseAnswer({ question, answer, nextStatus }: AnswerFields): AnswerFields {
  const read = { question: question.trim(), answer: answer.trim(), nextStatus };
  const errors: FieldErrors = {
    ...problemOf('question', read.question, QUESTION_MAX_LENGTH),
    ...problemOf('answer', read.answer, ANSWER_MAX_LENGTH),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return read;
}

function problemOf(field: 'question' | 'answer', text: string, max: number): FieldErrors {
  const problem = text === '' ? `The ${field} must not be empty.` : textProblem(text, { label: field, max });
  return problem ? { [field]: [problem] } : {};
}
