import type { ConnectionEnd } from '#server/generated/prisma/enums.ts';

const EXPIRED = 'The connection has expired, reconnect.';
const LEFT = 'The connecting teammate is no longer in this workspace, reconnect.';
const NOT_VALID = 'This workspace connection is no longer valid, reconnect.';

/** The sentence of a `401` by why the connection ended (docs/spec.md §5; docs/rulings.md 2.6). */
export const CONNECTION_ENDED_MESSAGES: Record<ConnectionEnd, string> = {
  disconnected: NOT_VALID,
  teammate_left: LEFT,
  teammate_deleted: NOT_VALID,
  workspace_deleted: NOT_VALID,
  not_allowed: NOT_VALID,
  revoked_by_platform: EXPIRED,
  code_reused: EXPIRED,
  never_exchanged: EXPIRED,
};

/** The sentence when the token itself is missing, unknown, expired or replaced by a refresh. */
export const TOKEN_EXPIRED_MESSAGE = EXPIRED;

/** The sentence when teammate or workspace are gone without the connection having been ended. */
export const CONNECTION_NOT_VALID_MESSAGE = NOT_VALID;

/** The sentence when the teammate is no longer a member. */
export const TEAMMATE_LEFT_MESSAGE = LEFT;

/** The sentence of the `403` for a teammate who is now agent or viewer. */
export const NOT_ALLOWED_MESSAGE = 'The connecting teammate needs to be an owner or admin of the workspace.';
