import { v7 as uuidv7 } from 'uuid';
import { textProblem } from '#server/contract/fields.ts';
import { RATING_COMMENT_MAX_LENGTH, RATING_LINK_DAYS } from '#server/contract/rating-scores.ts';
import type { RatingRecord } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
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
 * Stores a contact's rating of a conversation that was solved or is closed. A conversation has one rating for each time
 * it was solved (docs/rulings.md 3.33). The first one notifies the assignee and emits `conversation.rated`; rating again
 * updates it without either. The rating of a merged conversation belongs to the merge target, like a contact's message.
 * @param score a whole number from 1 to 5
 * @param comment is trimmed; blank becomes null
 * @throws Refusal when score or comment are invalid, or the conversation does not exist, was deleted or cannot be rated yet
 */
export async function rateConversation(newRating: {
  workspaceId: string;
  conversationId: string;
  score: number;
  comment: string | null;
}): Promise<{ ratingId: string; conversationId: string }> {
  const { workspaceId } = newRating;
  const rating = parseRating(newRating);
  return inTransaction(async (tx) => {
    const target = await lockTargetConversation(tx, { workspaceId, id: newRating.conversationId });
    if (target.conversation.removal === 'deleted') throw invalid({ conversation: [DELETED] });
    if (!isRatable(target)) {
      throw invalid({ conversation: ['This conversation can be rated once it is solved or closed.'] });
    }
    const { conversation, known } = target;
    const { isTest, record } = conversation;
    const now = new Date();
    const stored = await storeRating(tx, {
      conversation,
      solvedId: isSolvedOrClosed(known) ? newRating.conversationId : conversation.id,
      rating,
      now,
    });
    const { ratingId, conversationId } = stored;
    if (!stored.isNew) {
      await correctRating(tx, stored, rating);
      afterCommit(tx, () => {
        publish(workspaceId, 'conversations');
        publish(workspaceId, 'notifications');
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

const DELETED = 'This conversation can no longer be rated.';

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

/** A stored rating. `isNew` is false if the conversation was already rated since it was last solved. */
type StoredRating = { ratingId: string; conversationId: string; isNew: boolean };

/** Inserts the rating, or updates the existing one. The unique index decides between parallel calls. */
async function storeRating(
  tx: Tx,
  {
    conversation: { id, workspaceId },
    solvedId,
    rating: { score, comment },
    now,
  }: { conversation: LockedConversation; solvedId: string; rating: GivenRating; now: Date },
): Promise<StoredRating> {
  const ratingId = uuidv7();
  const [stored] = await tx.$queryRaw<Omit<StoredRating, 'isNew'>[]>`
    insert into ratings
      (id, workspace_id, conversation_id, solved_conversation_id, resolved_at, score, comment, created_at)
    select ${ratingId}::uuid, ${workspaceId}::uuid, ${id}::uuid, c.id, c.resolved_at, ${score}::smallint, ${comment}, ${now}
    from conversations c where c.workspace_id = ${workspaceId}::uuid and c.id = ${solvedId}::uuid
    on conflict (solved_conversation_id, resolved_at) do update set score = excluded.score, comment = excluded.comment
    returning id as "ratingId", conversation_id as "conversationId"`;
  if (!stored) throw new Error('The solved conversation is gone.');
  return { ...stored, isNew: stored.ratingId === ratingId };
}

/** Updates the score in the timeline entry and the notification of a rating. */
async function correctRating(
  tx: Tx,
  { ratingId, conversationId }: StoredRating,
  rating: GivenRating,
): Promise<void> {
  await tx.$executeRaw`
    update timeline_entries t set data = ${JSON.stringify(rating)}::jsonb
    from ratings r
    where r.id = ${ratingId}::uuid and t.conversation_id = ${conversationId}::uuid and t.kind = 'rated'
      and t.created_at = r.created_at`;
  await tx.$executeRaw`
    update notifications set data = data || ${JSON.stringify({ score: rating.score })}::jsonb
    where conversation_id = ${conversationId}::uuid and kind = 'rated' and data ->> 'ratingId' = ${ratingId}`;
}

/** Returns whether the conversation, or its merge target, was solved or closed. The contact knows only the former. */
function isRatable({ conversation: { record }, known }: TargetConversation): boolean {
  return (
    isSolvedOrClosed({ status: record.status, wasSolved: record.resolved_at !== null }) ||
    isSolvedOrClosed(known)
  );
}

function isSolvedOrClosed({
  status,
  wasSolved,
}: Pick<TargetConversation['known'], 'status' | 'wasSolved'>): boolean {
  return wasSolved || status === 'closed';
}

const TOO_MANY = 'This conversation was rated many times within a minute. Wait a minute and try again.';
const ENDED = `This link has expired: it works for ${RATING_LINK_DAYS} days after it was sent.`;

/**
 * Stores a rating that a contact gave by the link in a rating request.
 * @throws Refusal for an invalid or expired link, a missing conversation, too many ratings, and for the same reasons as `rateConversation`
 */
export async function rateByLink(rating: {
  token: string;
  score: number;
  comment: string | null;
}): Promise<void> {
  const { token, score, comment } = rating;
  const what = parseRatingToken(token);
  if (!what) throw notFound('The conversation');
  const { allowed } = await consumeLimit('rating', what.conversationId);
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

/** Serializes a rating, for events and samples. */
export function ratingRecord({ score, comment }: RatingRecord): RatingRecord {
  return { score, comment };
}
