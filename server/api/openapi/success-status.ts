export type SuccessStatus = 200 | 201;

/** A `POST` makes something and answers 201; only this one adds to something there, 200 (spec.md §4.2). */
const POST_THAT_CREATES_NOTHING = '/conversations/{id}/tags';

/** The status with which an operation of the contract succeeds. */
export function successStatus(method: string, path: string): SuccessStatus {
  return method.toLowerCase() === 'post' && path !== POST_THAT_CREATES_NOTHING ? 201 : 200;
}
