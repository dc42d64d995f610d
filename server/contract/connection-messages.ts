import type { ConnectionEnd } from '#server/generated/prisma/enums.ts';

const EXPIRED = 'The connection has expired, reconnect.';
const LEFT = 'The connecting teammate is no longer in this workspace, reconnect.';
const NOT_VALID = 'This workspace connection is no longer valid, reconnect.';

/** Messages of `401` by the reason why the connection ended (docs/spec.md §5; docs/rulings.md 2.6). */
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

/** Message for a missing, unknown, expired or replaced token. */
export const TOKEN_EXPIRED_MESSAGE = EXPIRED;

/** Message for a connection that was not ended, but whose teammate or workspace no longer exists. */
export const CONNECTION_NOT_VALID_MESSAGE = NOT_VALID;

/** Message for a teammate who is no longer a member. */
export const TEAMMATE_LEFT_MESSAGE = LEFT;

/** Message of `403` for a teammate who is now agent or viewer. */
export const NOT_ALLOWED_MESSAGE = 'The connecting teammate needs to be an owner or admin of the workspace.';
