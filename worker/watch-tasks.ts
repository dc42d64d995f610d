import type { Task, TaskList } from 'graphile-worker';

/**
 * Lets no task begin before `held`, and knows when none is under way.
 * @param held resolves when the pool of these tasks holds its lease
 * @returns the tasks, and what waits until none of them is under way
 */
export function watchTasks(
  tasks: TaskList,
  held: Promise<void>,
): { tasks: TaskList; idle: () => Promise<void> } {
  const underWay = new Set<Promise<void>>();
  const watch =
    (task: Task | undefined): Task =>
    async (payload, helpers) => {
      const done = Promise.withResolvers<void>();
      underWay.add(done.promise);
      try {
        await held;
        return await task?.(payload, helpers);
      } finally {
        underWay.delete(done.promise);
        done.resolve();
      }
    };
  return {
    tasks: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, watch(task)])),
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
