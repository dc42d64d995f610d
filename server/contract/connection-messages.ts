import type { ConnectionEnd } from '#server/generated/prisma/enums.ts';

/** Message for a missing, unknown, expired or replaced token. */
export const TOKEN_EXPIRED_MESSAGE = 'The connection has expired, reconnect.';

/** Message for a teammate who is no longer a member. */
export const TEAMMATE_LEFT_MESSAGE = 'The connecting teammate is no longer in this workspace, reconnect.';

/** Message for a connection that was not ended, but whose teammate or workspace no longer exists. */
export const CONNECTION_NOT_VALID_MESSAGE = 'This workspace connection is no longer valid, reconnect.';

/** Messages of `401` by the reason why the connection ended (docs/spec.md §5; docs/rulings.md 2.6). */
export const CONNECTION_ENDED_MESSAGES: Record<ConnectionEnd, string> = {
  disconnected: CONNECTION_NOT_VALID_MESSAGE,
  teammate_left: TEAMMATE_LEFT_MESSAGE,
  teammate_deleted: CONNECTION_NOT_VALID_MESSAGE,
  workspace_deleted: CONNECTION_NOT_VALID_MESSAGE,
  not_allowed: CONNECTION_NOT_VALID_MESSAGE,
  revoked_by_platform: TOKEN_EXPIRED_MESSAGE,
  code_reused: TOKEN_EXPIRED_MESSAGE,
  never_exchanged: TOKEN_EXPIRED_MESSAGE,
};

/** Message of `403` for a teammate who is now agent or viewer. */
export const NOT_ALLOWED_MESSAGE = 'The connecting teammate needs to be an owner or admin of the workspace.';
