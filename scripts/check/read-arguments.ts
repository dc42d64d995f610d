import type { Tier } from '#scripts/check/tiers.ts';
import { UserError } from '#server/core/user-error.ts';

const ALL = '--all';
const BESIDE_LOAD = '--beside-load';

/**
 * Parses the arguments of `npm test`: `--all` runs every test, `--beside-load` adds a busy loop on every core.
 * @throws UserError for an unknown argument
 */
export function readArguments(args: string[]): { tier: Tier; besideLoad: boolean } {
  const unknown = args.find((arg) => arg !== ALL && arg !== BESIDE_LOAD);
  if (unknown !== undefined)
    throw new UserError(`There is no argument ${unknown}. Use ${ALL} or ${BESIDE_LOAD}.`);
  return { tier: args.includes(ALL) ? 'all' : 'everyday', besideLoad: args.includes(BESIDE_LOAD) };
}
