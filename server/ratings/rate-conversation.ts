import { changeOf } from '#server/conversations/change.ts';
import {
  lockWhereContactWrites,
  type WhereContactWrites,
} from '#server/conversations/lock-where-contact-writes.ts';
import { ratingRecord } from '#server/conversations/rating-record.ts';
import { writeChange } from '#server/conversations/write-change.ts';
import { inTransaction } from '#server/db.ts';
import { invalid } from '#server/errors.ts';
import { RATING_COMMENT_MAX_LENGTH } from '#server/ratings/views.ts';
import { textProblem } from '#server/rest/fields.ts';

/**
 * A contact answers the satisfaction survey, which is possible once the conversation was solved or is closed. Rating
 * again adds another rating, and the newest counts. The rating of a conversation that was merged goes where it was
 * merged into, as a contact's message does: the contact knows of no merge, and nobody looks at the other one any
 * more. Tells the assignee. Emits `conversation.rated`.
 * @param score a whole number from 1 to 5
 * @param comment trimmed here; blank is none
 * @throws Refusal when score or comment cannot be, there is no such conversation, or there is nothing to rate yet
 */
export async function rateConversation(given: {
  workspaceId: string;
  conversationId: string;
  score: number;
  comment: string | null;
}): Promise<{ ratingId: string; conversationId: string }> {
  const { workspaceId } = given;
  const answer = readAnswer(given);
  return inTransaction(async (tx) => {
    const where = await lockWhereContactWrites(tx, { workspaceId, id: given.conversationId });
    if (!isRatable(where)) {
      throw invalid({ conversation: ['This conversation can be rated once it was solved or closed.'] });
    }
    const { conversation } = where;
    const { id: conversationId, assignee, isTest } = conversation;
    const now = new Date();
    const { id: ratingId } = await tx.rating.create({
      data: { workspaceId, conversationId, ...answer, createdAt: now },
      select: { id: true },
    });
    const { score } = answer;
    const change = changeOf({
      entries: [{ kind: 'rated', data: answer }],
      events: [{ key: 'conversation.rated', subjectId: ratingId, details: { rating: ratingRecord(answer) } }],
      notifications:
        assignee && !isTest ? [{ userId: assignee.id, kind: 'rated', data: { ratingId, score } }] : [],
    });
    await writeChange(tx, conversation, { actor: { kind: 'contact' }, change, now });
    return { ratingId, conversationId };
  });
}

/** Score and comment as they are kept. */
function readAnswer({ score, comment }: { score: number; comment: string | null }) {
  if (!Number.isInteger(score) || score < 1 || score > 5) {
    throw invalid({ score: ['The score must be a whole number from 1 to 5.'] });
  }
  const words = comment?.trim() || null;
  const problem = words && textProblem(words, { label: 'comment', max: RATING_COMMENT_MAX_LENGTH });
  if (problem) throw invalid({ comment: [problem] });
  return { score, comment: words };
}

/** One that was merged is rated for what it was when its contact was asked, whatever became of the other one. */
function isRatable({ conversation, known }: WhereContactWrites): boolean {
  return [conversation, known].some(({ status, wasSolved }) => wasSolved || status === 'closed');
}
