/** Query parameters of a Next.js page. */
export type Query = Promise<Record<string, string | string[] | undefined>>;

/** Returns the first value of a query parameter. */
export function firstParam(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
