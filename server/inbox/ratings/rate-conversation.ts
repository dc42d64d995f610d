import { v7 as uuidv7 } from 'uuid';
import { textProblem } from '#server/contract/fields.ts';
import { RATING_COMMENT_MAX_LENGTH, RATING_LINK_DAYS } from '#server/contract/rating-scores.ts';
import type { RatingRecord } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { publish, publishConversation } from '#server/core/live/publish.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  lockTargetConversation,
  type TargetConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { hasLinkEnded, parseRatingToken } from '#server/inbox/ratings/rating-link.ts';

/**
 * A contact answers the satisfaction survey, which is possible once the conversation was solved or is closed. There is
 * one rating for each time that it was solved: rating again changes it where it is shown, and notifies no one. The first
 * rating of a conversation that was merged goes where it was merged into, as a contact's message does: the contact
 * knows of no merge, and no one looks at the other one any more. It notifies the assignee and emits `conversation.rated`.
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
  const rating = parseRating(given);
  return inTransaction(async (tx) => {
    const target = await lockTargetConversation(tx, { workspaceId, id: given.conversationId });
    if (!isRatable(target)) {
      throw invalid({ conversation: ['This conversation can be rated once it is solved or closed.'] });
    }
    const { conversation, known } = target;
    const { isTest, record } = conversation;
    const now = new Date();
    const kept = await keepRating(tx, {
      conversation,
      solvedId: isOver(known) ? given.conversationId : conversation.id,
      rating,
      now,
    });
    const { ratingId, conversationId } = kept;
    if (!kept.isNew) {
      await correctRating(tx, kept, rating);
      afterCommit(tx, () => {
        publish(workspaceId, 'conversations');
        publishConversation(conversationId);
      });
      return { ratingId, conversationId };
    }
    const { score } = rating;
    const change = changeOf({
      entries: [{ kind: 'rated', data: rating }],
      events: [{ key: 'conversation.rated', subjectId: ratingId, details: { rating: ratingRecord(rating) } }],
      notifications:
        record.assignee && !isTest
          ? [{ userId: record.assignee.id, kind: 'rated', data: { ratingId, score } }]
          : [],
    });
    await persistChange(tx, conversation, { actor: { kind: 'contact' }, change, now });
    return { ratingId, conversationId };
  });
}

/** Score and comment as they are kept. */
function parseRating({ score, comment }: { score: number; comment: string | null }) {
  if (!Number.isInteger(score) || score < 1 || score > 5) {
    throw invalid({ score: ['The score must be a whole number from 1 to 5.'] });
  }
  const words = comment?.trim() || null;
  const problem = words && textProblem(words, { label: 'comment', max: RATING_COMMENT_MAX_LENGTH });
  if (problem) throw invalid({ comment: [problem] });
  return { score, comment: words };
}

type GivenRating = ReturnType<typeof parseRating>;

/** A rating as it is kept, `isNew` unless the same solving had been rated before. */
type Kept = { ratingId: string; conversationId: string; isNew: boolean };

/** The unique index decides: of any number of ratings of one solving the first is inserted and the others change it. */
async function keepRating(
  tx: Tx,
  {
    conversation: { id, workspaceId },
    solvedId,
    rating: { score, comment },
    now,
  }: { conversation: LockedConversation; solvedId: string; rating: GivenRating; now: Date },
): Promise<Kept> {
  const ratingId = uuidv7();
  const [kept] = await tx.$queryRaw<Omit<Kept, 'isNew'>[]>`
    insert into ratings
      (id, workspace_id, conversation_id, solved_conversation_id, resolved_at, score, comment, created_at)
    select ${ratingId}::uuid, ${workspaceId}::uuid, ${id}::uuid, c.id, c.resolved_at, ${score}::smallint, ${comment}, ${now}
    from conversations c where c.workspace_id = ${workspaceId}::uuid and c.id = ${solvedId}::uuid
    on conflict (solved_conversation_id, resolved_at) do update set score = excluded.score, comment = excluded.comment
    returning id as "ratingId", conversation_id as "conversationId"`;
  if (!kept) throw new Error('The solved conversation is gone.');
  return { ...kept, isNew: kept.ratingId === ratingId };
}

/** Updates the score in the timeline entry and the notification of a rating. */
async function correctRating(tx: Tx, { ratingId, conversationId }: Kept, rating: GivenRating): Promise<void> {
  await tx.$executeRaw`
    update timeline_entries t set data = ${JSON.stringify(rating)}::jsonb
    from ratings r
    where r.id = ${ratingId}::uuid and t.conversation_id = ${conversationId}::uuid and t.kind = 'rated'
      and t.created_at = r.created_at`;
  await tx.$executeRaw`
    update notifications set data = data || ${JSON.stringify({ score: rating.score })}::jsonb
    where conversation_id = ${conversationId}::uuid and kind = 'rated' and data ->> 'ratingId' = ${ratingId}`;
}

/** A merged conversation is rated for what it was when its contact was asked, whatever became of the other one. */
function isRatable({ conversation: { record }, known }: TargetConversation): boolean {
  return isOver({ status: record.status, wasSolved: record.resolved_at !== null }) || isOver(known);
}

function isOver({ status, wasSolved }: Pick<TargetConversation['known'], 'status' | 'wasSolved'>): boolean {
  return wasSolved || status === 'closed';
}

const TOO_MANY = 'This conversation was rated many times within a minute. Wait a minute and try again.';
const ENDED = `This link has expired: it works for ${RATING_LINK_DAYS} days after it was sent.`;

/**
 * A contact rates a conversation by the link that was mailed to them.
 * @throws Refusal for a link that was not signed here, leads nowhere any more or has ended, past a limit, and as
 *   `rateConversation`
 */
export async function rateByLink(given: {
  token: string;
  score: number;
  comment: string | null;
}): Promise<void> {
  const { token, score, comment } = given;
  const what = parseRatingToken(token);
  if (!what) throw notFound('The conversation');
  const { allowed } = await takeFrom('rating', what.conversationId);
  if (!allowed) throw new Refusal('forbidden', TOO_MANY);
  const { workspaceId, conversationId: id } = what;
  const found = await db().conversation.findFirst({
    where: { workspaceId, id, workspace: { deletedAt: null } },
    select: { ratingAskedAt: true },
    relationLoadStrategy: 'join',
  });
  if (!found) throw notFound('The conversation');
  if (hasLinkEnded(found.ratingAskedAt)) throw new Refusal('forbidden', ENDED);
  await rateConversation({ ...what, score, comment });
}

/** The one serializer of ratings. */
export function ratingRecord({ score, comment }: RatingRecord): RatingRecord {
  return { score, comment };
}
