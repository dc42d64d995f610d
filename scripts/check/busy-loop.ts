import { setPriority } from 'node:os';

// Keeps one core busy until the program that started this process ends.

/** Lower priority than usual, so that tests get most of the processor time. */
const NICENESS = 10;
/** Interval at which the channel to the parent is checked, in ms. */
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
