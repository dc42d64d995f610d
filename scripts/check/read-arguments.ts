import { UserError } from '#server/core/user-error.ts';

const BESIDE_LOAD = '--beside-load';

/**
 * Reads the arguments of `npm test` and `npm run check`.
 * @throws UserError for an unknown argument
 */
export function readArguments(args: string[]): { besideLoad: boolean } {
  const unknown = args.find((arg) => arg !== BESIDE_LOAD);
  if (unknown !== undefined)
    throw new UserError(`There is no argument ${unknown}: the only one is ${BESIDE_LOAD}.`);
  return { besideLoad: args.includes(BESIDE_LOAD) };
}
