import { v7 as uuidv7 } from 'uuid';

const attempts = new Map<string, { id: string; of: string }>();

/**
 * Returns the id of an attempt to create something, which the server creates once. A repeated attempt with the same content
 * gets the same id until `endAttempt`, because the response to the first one may have been lost.
 * @param form what is created and where, for example `reply:` and the conversation's id
 */
export function attemptId(form: string, content: unknown): string {
  const of = JSON.stringify(content);
  const last = attempts.get(form);
  if (last?.of === of) return last.id;
  const id = uuidv7();
  attempts.set(form, { id, of });
  return id;
}

/** Forgets the last attempt once the server has confirmed it. */
export function endAttempt(form: string): void {
  attempts.delete(form);
}
