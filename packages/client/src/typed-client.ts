import type { Client, FetchOptions, FetchResponse } from 'openapi-fetch';

type Media = 'application/json';
type Method = 'get' | 'post' | 'patch' | 'delete';

type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, object> ? Path : never;
}[keyof Paths];

type Call<Paths, M extends Method> = <
  Path extends PathsWith<Paths, M>,
  Operation extends Paths[Path][M & keyof Paths[Path]],
>(
  path: Path,
  ...init: object extends FetchOptions<Operation>
    ? [init?: FetchOptions<Operation>]
    : [init: FetchOptions<Operation>]
) => Promise<FetchResponse<Operation & Record<string, unknown>, unknown, Media>>;

/**
 * The client of openapi-fetch, whose calls refuse unknown fields in bodies and parameters: its own calls infer the type of their
 * options from what they are given, so that a misspelt optional field compiles.
 */
export type TypedClient<Paths extends object> = Omit<Client<Paths, Media>, Uppercase<Method>> & {
  [M in Method as Uppercase<M>]: Call<Paths, M>;
};
