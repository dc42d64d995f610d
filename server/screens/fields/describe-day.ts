export { describeDay } from '#server/core/day.ts';
