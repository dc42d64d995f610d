export type StepContext = {
  note(text: string): void;
  /** Shows immediately that the step takes a while. */
  slow(text: string): void;
};

/**
 * Runs a step and shows a line with its time, even on failure. Steps may run in parallel. None starts after `signal`
 * was aborted, and an aborted step does not count as failed.
 */
export async function runStep<T>(
  label: string,
  work: (step: StepContext) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const started = performance.now();
  let text = 'done';
  const show = (what: string) => console.log(stepLine(label, what, performance.now() - started));
  try {
    const result = await work({
      note: (note) => {
        text = note;
      },
      slow: (what) => console.log(`  ${label.padEnd(LABEL_WIDTH)} ${what} …`),
    });
    show(text);
    return result;
  } catch (error) {
    show(signal?.aborted ? 'aborted' : 'failed');
    throw error;
  }
}

/** Formats a line, such as `  Migrations           none pending                                   0.1 s`. */
export function stepLine(label: string, text: string, milliseconds: number): string {
  const seconds = (milliseconds / 1000).toFixed(1).padStart(6);
  return `  ${label.padEnd(LABEL_WIDTH)} ${text.padEnd(TEXT_WIDTH)} ${seconds} s`;
}

const LABEL_WIDTH = 20;
const TEXT_WIDTH = 44;
