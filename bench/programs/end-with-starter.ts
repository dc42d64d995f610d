import { isMainThread } from 'node:worker_threads';

// Loaded before a program that bench/lab/run-in-group.ts starts as the leader of a group. The program's input
// ends when its starter is gone for any reason, and then the whole group is killed.
if (isMainThread) {
  process.stdin.once('end', () => process.kill(-process.pid, 'SIGKILL'));
  process.stdin.resume();
  (process.stdin as typeof process.stdin & { unref(): void }).unref();
}
