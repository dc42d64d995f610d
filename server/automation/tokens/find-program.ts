import { type Ability, knownAbilities } from '#server/automation/tokens/abilities.ts';
import { isToken } from '#server/automation/tokens/token-text.ts';
import { batchPerTurn } from '#server/core/database/batch.ts';
import { pool } from '#server/core/database/pools.ts';
import { Refusal } from '#server/core/errors.ts';
import type { SearchLanguage } from '#server/core/search-languages.ts';
import { digest } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';

/** The program that calls with an API token. */
export type Program = {
  tokenId: string;
  label: string;
  abilities: Ability[];
  workspace: { id: string; name: string; plan: Plan; isTest: boolean; searchLanguage: SearchLanguage };
  /** True if `last_used_at` is older than a minute. */
  lastUsedIsStale: boolean;
};

/** One sentence for every token that does not work, so that it reveals nothing about one that once did. */
export const TOKEN_NOT_VALID_MESSAGE = 'The API token is missing, unknown, expired or revoked.';

/** `isUnknown`: the token was never issued, although its checksum is right. */
type ProgramResult = { kind: 'caller'; caller: Program } | { kind: 'unauthorized'; isUnknown: boolean };

type ProgramRow = {
  id: string;
  label: string;
  abilities: string[];
  is_live: boolean;
  last_used_is_stale: boolean;
  workspace_id: string;
  workspace_name: string;
  plan: Plan;
  is_test: boolean;
  search_language: SearchLanguage;
};

/** SQL: the token `t` works now. Uses the database's clock. */
const IS_LIVE = 't.revoked_at is null and (t.expires_at is null or t.expires_at > now())';

/** Finds the programs of all tokens that were sent in one turn of the event loop. */
const FIND_PROGRAMS = {
  name: 'find-programs',
  text: `
    select requested.n::int, t.id, t.label, t.abilities, ${IS_LIVE} as is_live,
      t.last_used_at is null or t.last_used_at < now() - interval '60 seconds' as last_used_is_stale,
      w.id as workspace_id, w.name as workspace_name, w.plan, w.test_of_id is not null as is_test, w.search_language
    from unnest($1::bytea[]) with ordinality as requested (hash, n)
    join api_tokens t on t.token_hash = requested.hash
    join workspaces w on w.id = t.workspace_id and w.deleted_at is null`,
};

/** Finds the program of each token in one round trip. Returns the results in the order of the tokens. */
async function findPrograms(tokens: readonly string[]): Promise<ProgramResult[]> {
  const hashes = tokens.map((token) => Buffer.from(digest(token)));
  const { rows } = await pool().query<ProgramRow & { n: number }>({ ...FIND_PROGRAMS, values: [hashes] });
  const rowOf = new Map(rows.map((row) => [row.n, row]));
  return tokens.map((_, index) => programOf(rowOf.get(index + 1)));
}

const findIssued = batchPerTurn(findPrograms);

/** Finds the program that calls with a token. A text that cannot be a token is not looked up. */
export async function findProgram(token: string): Promise<ProgramResult> {
  return isToken(token) ? findIssued(token) : { kind: 'unauthorized', isUnknown: false };
}

function programOf(row: ProgramRow | undefined): ProgramResult {
  if (!row?.is_live) return { kind: 'unauthorized', isUnknown: row === undefined };
  return {
    kind: 'caller',
    caller: {
      tokenId: row.id,
      label: row.label,
      abilities: knownAbilities(row.abilities),
      workspace: {
        id: row.workspace_id,
        name: row.workspace_name,
        plan: row.plan,
        isTest: row.is_test,
        searchLanguage: row.search_language,
      },
      lastUsedIsStale: row.last_used_is_stale,
    },
  };
}

/** Records the use of a token and the caller's address, at most once a minute over all servers. */
export async function touchToken(tokenId: string, address: string | null): Promise<void> {
  await pool().query(
    `update api_tokens set last_used_at = now(), last_used_address = $2
     where id = $1 and (last_used_at is null or last_used_at < now() - interval '60 seconds')`,
    [tokenId, address],
  );
}

/**
 * Returns a part of a write that has a row only while the token works. Its row lock makes the write and a revocation wait for
 * each other: what commits after the revocation would be refused.
 */
export function liveTokenPart(tokenId: string): Prisma.Sql {
  return Prisma.sql`
    select t.id from api_tokens t where t.id = ${tokenId}::uuid and ${Prisma.raw(IS_LIVE)} for share`;
}

/** Returns the refusal of a write whose token was revoked or expired since the request arrived. */
export function tokenEnded(): Refusal {
  return new Refusal('connection_ended', TOKEN_NOT_VALID_MESSAGE);
}
