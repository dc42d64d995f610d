/** A span of the machine's time, in ms. */
export type Span = { from: number; to: number };

/** Length of a sample, in ms, as in the public harness whose figures these can be compared with. */
const SAMPLE_MS = 5_000;
const SECOND_MS = 1_000;
/** Step and share of the rate before, to find the first second of full work. */
const STEP_MS = 100;
const FULL = 0.9;

/** Returns the number of arrivals per second within a span. */
export function rateIn(times: number[], { from, to }: Span): number {
  return (countIn(times, { from, to }) / (to - from)) * SECOND_MS;
}

/**
 * Returns the rate within a span, as the mean of samples of five seconds. No sample counts more than `atMost`, so that a backlog of a fault
 * does not hide a slow return.
 */
export function cappedRate(times: number[], { from, to }: Span, atMost: number): number {
  const samples = Math.max(1, Math.round((to - from) / SAMPLE_MS));
  const length = (to - from) / samples;
  const rates = Array.from({ length: samples }, (_, number) =>
    rateIn(times, { from: from + number * length, to: from + (number + 1) * length }),
  );
  return rates.reduce((sum, rate) => sum + Math.min(rate, atMost), 0) / samples;
}

/**
 * Returns the time from the start of a span to the first second with nine tenths of the rate before, in ms, or undefined if there is no
 * such second.
 */
export function backAfter(times: number[], { from, to }: Span, before: number): number | undefined {
  for (let at = from; at + SECOND_MS <= to; at += STEP_MS) {
    if (countIn(times, { from: at, to: at + SECOND_MS }) >= FULL * before) return at - from;
  }
  return undefined;
}

function countIn(times: number[], { from, to }: Span): number {
  return times.filter((at) => at >= from && at < to).length;
}
