import { setPriority } from 'node:os';

// Keeps one core busy until the program that started this process has ended, however it ended.

/** Lower than usual, so that the tests get most of the processor time. */
const NICENESS = 10;
/** Pause-free time between two looks at whether the channel is still open, in ms. */
const SPIN_MS = 20;

process.on('disconnect', () => process.exit(0));
setPriority(NICENESS);
process.send?.('busy');
spin();

function spin(): void {
  const end = performance.now() + SPIN_MS;
  while (performance.now() < end);
  setImmediate(spin);
}
