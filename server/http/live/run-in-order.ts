/**
 * Creates a function that runs the tasks of each key one after the other. Tasks of different keys do not wait for each other. A task
 * that fails does not stop the later ones.
 */
export function runInOrder(): (key: string, task: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (key, task) => {
    const run = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, run);
    try {
      await run;
    } finally {
      if (last.get(key) === run) last.delete(key);
    }
  };
}
