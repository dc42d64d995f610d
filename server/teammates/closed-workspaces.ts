import { hasSecondFactorSql } from '#server/teammates/has-second-factor.ts';

/** How long a sign-in through the provider of a workspace opens that workspace in a session. */
const SIGN_ON_DAYS = 7;

/**
 * Why a workspace is closed in a session. `single_sign_on`: its provider has to confirm who the teammate is. `sign_in`: the teammate
 * has to sign in in another way. `second_factor`: it requires one, and the teammate has none.
 */
export type ClosedBy = 'single_sign_on' | 'sign_in' | 'second_factor';

/** Join of whether a user `u` has a second factor, `f`, in SQL. `offset 0` makes it one search per user, not one per use of `f`. */
export const JOIN_OF_SECOND_FACTOR = `cross join lateral (select ${hasSecondFactorSql('u.id')} as has offset 0) f`;

/**
 * Joins of `CLOSED_BY`, in SQL. Aliases that the statement must have: `s` session, `u` user, `f` (`JOIN_OF_SECOND_FACTOR`), `m` member,
 * `w` workspace. A test workspace has the rules of its own workspace, `p`. `x`: the provider's confirmation in this session.
 * `c`: single sign-on of the workspace, if the address of the user is in its domains.
 */
export const JOINS_OF_CLOSED_BY = `
  left join workspaces p on p.id = w.test_of_id
  left join session_sign_ons x on x.session_id = s.id and x.workspace_id = coalesce(w.test_of_id, w.id)
    and x.signed_on_at > now() - interval '${SIGN_ON_DAYS} days'
  left join lateral (
    select c.required_at, c.tested_at is not null as is_offered from single_sign_ons c
    join sign_on_domains d on d.workspace_id = c.workspace_id and d.verified_at is not null
      and d.domain = split_part(u.email, '@', 2)
    where c.workspace_id = coalesce(w.test_of_id, w.id)
  ) c on true`;

/**
 * Returns why a workspace is closed in a session (`ClosedBy`), or null, in SQL. A provider speaks only for its own workspace: what
 * it confirms, several factors included, opens no other one.
 */
export const CLOSED_BY = `case
  when x.session_id is null and (s.is_single_sign_on or c.required_at is not null and m.role <> 'owner')
    then case when c.is_offered then 'single_sign_on' else 'sign_in' end
  when f.has and s.second_factor_at is null and x.has_mfa is not true then 'sign_in'
  when not f.has and coalesce(w.second_factor_from, p.second_factor_from) <= now() and x.has_mfa is not true
    then 'second_factor'
  end`;

/** Returns whether a session `s` passed no second factor: neither that of its user nor one that a provider reports. In SQL. */
export const HAS_ONE_FACTOR = `s.second_factor_at is null and not exists (
  select from session_sign_ons x where x.session_id = s.id and x.has_mfa
    and x.signed_on_at > now() - interval '${SIGN_ON_DAYS} days')`;

/** Returns whether a session waits for the second factor of its user, in SQL. Aliases: `s` session, `f` (`JOIN_OF_SECOND_FACTOR`). */
export const IS_PENDING = `f.has and ${HAS_ONE_FACTOR}`;
