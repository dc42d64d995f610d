import type { AfterSolving, Role } from '#server/generated/prisma/enums.ts';

export type { AddressLink } from '#server/administration/accounts/change-address.ts';
export type { PasskeyView } from '#server/administration/accounts/passkeys/manage-passkeys.ts';
export type {
  NewSecondFactor,
  SecondFactorView,
} from '#server/administration/accounts/second-factor/set-up.ts';
export type { SessionView } from '#server/administration/accounts/sessions.ts';

export type AccountView = {
  name: string;
  email: string;
  afterSolving: AfterSolving;
  /** Active connections and their workflows in all workspaces. They end with the account. */
  connections: number;
  liveWorkflows: number;
  /** `signature` is added to the teammate's emails in this workspace. */
  workspaces: { id: string; name: string; role: Role; signature: string | null }[];
  /** Names of all their workspaces, also of those that are closed to this session. They leave them with the account. */
  memberOf: string[];
  /** Workspaces whose only owner is this teammate. They prevent the deletion of the account. */
  lastOwnerOf: string[];
  /** Why this session may neither change the name and preferences nor see the passkeys and other sessions; null if it may. */
  limit: string | null;
};
