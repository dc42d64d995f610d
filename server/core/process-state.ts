/** Returns a value that the process makes on first use and keeps: a pool, a cache, a client. */
export type ProcessState<T> = {
  (): T;
  /** Returns the value if it was made, and forgets it. */
  take(): T | undefined;
};

const all: ProcessState<unknown>[] = [];

/** Declares a value that the process makes on first use and keeps. */
export function processState<T>(make: () => T): ProcessState<T> {
  let made: { value: T } | undefined;
  const get = () => {
    made ??= { value: make() };
    return made.value;
  };
  const take = () => {
    const value = made?.value;
    made = undefined;
    return value;
  };
  const state = Object.assign(get, { take });
  all.push(state);
  return state;
}

/** Forgets all values. For tests: one process runs many test files, and each starts as in a new process. */
export function forgetProcessState(): void {
  for (const state of all) state.take();
}
