import { describeError } from '#scripts/explained-error.ts';

/** Runs a command line program: what it throws is shown on stderr and the exit code becomes 1. */
export async function runCli(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
