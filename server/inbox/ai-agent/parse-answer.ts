import { textProblem } from '#server/contract/fields.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import type { NextStatus } from '#server/inbox/ai-agent/ai-agent.ts';

/** Characters in a question and in an answer. */
export const QUESTION_MAX_LENGTH = 500;
export const ANSWER_MAX_LENGTH = 4_000;

/** A question and its answer as they were typed. */
export type AnswerFields = { question: string; answer: string; nextStatus: NextStatus };

/**
 * A question and its answer as they are kept: trimmed.
 * @throws Refusal when one of them is empty or too long, with a sentence for each
 */
export function parseAnswer({ question, answer, nextStatus }: AnswerFields): AnswerFields {
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
