/** What a step may say about itself while it runs. */
export type StepContext = {
  /** What its line will say in the end, for example `unchanged`. */
  note(text: string): void;
  /** Shows at once that this will take a while. */
  slow(text: string): void;
};

/**
 * Runs one step and shows a line with its time, also when it fails. Steps may run at the same time; none is
 * begun after `signal` was aborted, and one that ends early because of it is not called failed.
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
    show(signal?.aborted ? 'broken off' : 'failed');
    throw error;
  }
}

/** `  Migrations           none pending                                   0.1 s` */
export function stepLine(label: string, text: string, milliseconds: number): string {
  const seconds = (milliseconds / 1000).toFixed(1).padStart(6);
  return `  ${label.padEnd(LABEL_WIDTH)} ${text.padEnd(TEXT_WIDTH)} ${seconds} s`;
}

const LABEL_WIDTH = 20;
const TEXT_WIDTH = 44;
