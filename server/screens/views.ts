export {
  RATING_COMMENT_MAX_LENGTH,
  RATING_LINK_DAYS,
  type RatingPageView,
  SCORE_WORDS,
  SCORES,
  type Score,
} from '#server/contract/rating-scores.ts';
export { LIVE_TOPICS, type LiveTopic, type RecentChanges } from '#server/core/live/live-topics.ts';
