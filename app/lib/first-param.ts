/** What Next hands a page of its query string. */
export type Query = Promise<Record<string, string | string[] | undefined>>;

/** A query parameter's value; of one sent several times, the first. */
export function firstParam(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
