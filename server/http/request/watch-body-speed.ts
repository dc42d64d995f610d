import type { IncomingMessage } from 'node:http';
import { RequestProblem } from '#server/http/response/request-problem.ts';

/** How slowly a body may come: besides the first seconds, so many bytes a second on the whole. */
const BODY_SPEED = { graceMs: 10_000, bytesPerSecond: 8 * 1024 } as const;

const CHECK_MS = 1_000;

/**
 * Calls `giveUp` with a `408` when a body comes more slowly than `BODY_SPEED`. The time in which we ourselves take
 * nothing in does not count.
 * @returns ends the watch; to be called when the body is there
 */
export function watchBodySpeed(req: IncomingMessage, giveUp: (problem: RequestProblem) => void): () => void {
  const before = req.socket.bytesRead;
  let waitedMs = 0;
  const timer = setInterval(() => {
    if (!req.isPaused()) waitedMs += CHECK_MS;
    const earnedMs = ((req.socket.bytesRead - before) / BODY_SPEED.bytesPerSecond) * 1_000;
    if (waitedMs < BODY_SPEED.graceMs + earnedMs) return;
    clearInterval(timer);
    giveUp(new RequestProblem(408, 'The request came too slowly. Check your connection and send it again.'));
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
