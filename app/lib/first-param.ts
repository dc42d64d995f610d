/** Query parameters of a Next.js page. */
export type Query = Promise<Params>;

type Params = Record<string, string | string[] | undefined>;

/** Returns the first value of a query parameter. */
export function firstParam(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Returns the first values of query parameters, each cut to a maximum length. */
export function cutParams<Name extends string>(
  params: Params,
  lengths: Record<Name, number>,
): Record<Name, string | undefined> {
  const cut = Object.entries<number>(lengths).map(([name, max]) => [
    name,
    firstParam(params[name])?.slice(0, max),
  ]);
  return Object.fromEntries(cut);
}
