import { createHash } from 'node:crypto';
import { checkStillAllowed } from '#server/automation/connections/end-connection.ts';
import { PKCE_VALUE } from '#server/automation/oauth/authorize-request.ts';
import { type SpentCode, spendCode } from '#server/automation/oauth/spend-code.ts';
import { err, NO_LONGER_ADMIN, ok, type Result } from '#server/automation/oauth/token-error.ts';
import type { TokenResponse } from '#server/automation/oauth/tokens.ts';
import { pool } from '#server/core/database/pools.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { digest, sameSecret } from '#server/core/secrets.ts';
import type { ChallengeMethod } from '#server/generated/prisma/enums.ts';

type IssuedCode = SpentCode & {
  redirectUri: string;
  challenge: string | null;
  challengeMethod: ChallengeMethod | null;
  isUsed: boolean;
  isExpired: boolean;
};

const NOT_VALID = 'The code is unknown, expired or already used. Ask the teammate to connect again.';

/**
 * Exchanges a code for tokens: the grant `authorization_code` (RFC 6749 §4.1.3). A request that fails a check
 * does not spend the code. Exactly one of several parallel exchanges spends it. `endReusedCodes` handles used
 * codes.
 */
export async function exchangeCode(values: Map<string, string>): Promise<Result<TokenResponse>> {
  const found = await findCode(values.get('code'));
  if (!found.ok) return found;
  const checked = checkCode(found.value, values);
  if (!checked.ok) return checked;
  const response = await spendCode(found.value);
  if (!response) return err('invalid_grant', await refuseUnspent(found.value));
  log().info({ connectionId: found.value.connectionId, grant: 'authorization_code' }, 'oauth.token_issued');
  return ok(response);
}

const FIND_CODE = {
  name: 'find-code',
  text: `
    select a.connection_id as "connectionId", c.workspace_id as "workspaceId", c.user_id as "userId",
      coalesce(u.name, c.teammate_name) as "teammateName", a.redirect_uri as "redirectUri", a.code_challenge as challenge,
      a.challenge_method::text as "challengeMethod", a.used_at is not null as "isUsed", a.expires_at <= now() as "isExpired"
    from authorization_codes a join connections c on c.id = a.connection_id
    left join users u on u.id = c.user_id and u.deleted_at is null
    where a.code_hash = $1`,
};

async function findCode(code: string | undefined): Promise<Result<IssuedCode>> {
  if (code === undefined) return err('invalid_request', 'The parameter code is missing.');
  const { rows } = await pool().query<Omit<IssuedCode, 'code'>>({
    ...FIND_CODE,
    values: [Buffer.from(digest(code))],
  });
  const [row] = rows;
  return row ? ok({ code, ...row }) : err('invalid_grant', NOT_VALID);
}

function checkCode(issued: IssuedCode, values: Map<string, string>): Result<true> {
  if (issued.isUsed) return err('invalid_grant', NOT_VALID);
  const redirectUri = values.get('redirect_uri');
  if (redirectUri === undefined) return err('invalid_request', 'The parameter redirect_uri is missing.');
  if (issued.isExpired) return err('invalid_grant', NOT_VALID);
  if (redirectUri !== issued.redirectUri) {
    return err('invalid_grant', 'The redirect_uri must be the same as in the authorize request.');
  }
  const { challenge: value, challengeMethod: method } = issued;
  if (!checkPkce(values.get('code_verifier'), value !== null && method !== null ? { value, method } : null)) {
    return err(
      'invalid_grant',
      'The code_verifier does not match the code_challenge of the authorize request.',
    );
  }
  return ok(true);
}

/**
 * Returns whether a verifier matches the challenge of the authorize request (RFC 7636 §4.6). Without a
 * challenge a verifier is refused too, so that an attacker cannot remove the challenge (RFC 9700 §2.1.1).
 */
export function checkPkce(
  verifier: string | undefined,
  challenge: { value: string; method: ChallengeMethod } | null,
): boolean {
  if (!challenge) return verifier === undefined;
  if (verifier === undefined || !PKCE_VALUE.test(verifier)) return false;
  const computed =
    challenge.method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return sameSecret(computed, challenge.value);
}

/** Returns why a code could not be spent. Ends the connection if its teammate may no longer connect. */
async function refuseUnspent({ connectionId: id, workspaceId, userId }: IssuedCode): Promise<string> {
  const isAllowed = await inTransaction((tx) => checkStillAllowed(tx, { id, workspaceId, userId }));
  return isAllowed ? NOT_VALID : NO_LONGER_ADMIN;
}
