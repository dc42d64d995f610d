/**
 * Waits for all of several tasks. When one fails, `failed` is aborted so that the others end early; they are
 * still waited for, and the first failure is thrown.
 */
export async function allOrAbort(tasks: Promise<unknown>[], failed: AbortController): Promise<void> {
  try {
    await Promise.all(tasks);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(tasks);
    throw error;
  }
}
