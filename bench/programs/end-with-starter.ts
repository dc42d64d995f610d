import { isMainThread } from 'node:worker_threads';

// Loaded before a program that bench/lab/run-in-group.ts starts as the leader of a group: its input ends when who started it is gone,
// however that ended, and then the whole group does.
if (isMainThread) {
  process.stdin.once('end', () => process.kill(-process.pid, 'SIGKILL'));
  process.stdin.resume();
  (process.stdin as typeof process.stdin & { unref(): void }).unref();
}
