import { execute } from '#bench/programs/floor-database.ts';
import { digest, newSecret } from '#server/core/secrets.ts';

/**
 * Exchanges a code or refreshes an access token with one statement.
 * @returns the response as JSON
 */
export async function token(form: URLSearchParams): Promise<string> {
  const access = newSecret('kza_');
  const hash = Buffer.from(digest(access));
  const code = form.get('code');
  if (code === null) {
    await execute(
      'refresh',
      `with replaced as (update connections set live_token_times = array[now()]
         where id = (select connection_id from refresh_tokens where token_hash = $1 and revoked_at is null) returning id)
       insert into access_tokens (token_hash, connection_id, expires_at)
       select $2, id, now() + interval '2 hours' from replaced`,
      [Buffer.from(digest(form.get('refresh_token') ?? '')), hash],
    );
    return JSON.stringify({ access_token: access, token_type: 'Bearer', expires_in: 7200 });
  }
  const refresh = newSecret('kzr_');
  await execute(
    'exchange',
    `with used as (update authorization_codes set used_at = now() where code_hash = $1 and used_at is null
       and expires_at > now() and code_challenge = $4 returning connection_id),
     begun as (update connections set exchanged_at = now(), live_token_times = array[now()] where id = (select connection_id from used)),
     refreshing as (insert into refresh_tokens (token_hash, connection_id) select $3, connection_id from used)
     insert into access_tokens (token_hash, connection_id, expires_at)
     select $2, connection_id, now() + interval '2 hours' from used`,
    [
      Buffer.from(digest(code)),
      hash,
      Buffer.from(digest(refresh)),
      Buffer.from(digest(form.get('code_verifier') ?? '')).toString('base64url'),
    ],
  );
  return JSON.stringify({
    access_token: access,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: 7200,
  });
}
