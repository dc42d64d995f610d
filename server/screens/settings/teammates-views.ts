import type { Role } from '#server/generated/prisma/enums.ts';

/** A teammate as the list of them shows it. */
export type TeammateRow = {
  id: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  isYou: boolean;
  /** The roles that the reader may give them, the present one among them; empty: none. */
  roles: Role[];
  /** The reader may remove them; of oneself: may leave. */
  mayRemove: boolean;
  /** Why they keep their role and stay, as a sentence, or null. */
  problem: string | null;
  connections: number;
};

/** Everyone in the workspace: owners first, then admins, agents and viewers, by name. */
export type TeammatesView = {
  /** The reader is owner or admin. */
  mayManage: boolean;
  /** The roles to which the reader may invite; empty: none. */
  invitableRoles: Role[];
  teammates: TeammateRow[];
};

/** What ends, or falls to no one, when a teammate leaves the workspace. */
export type RemovalView = {
  name: string;
  connections: number;
  liveWorkflows: number;
  conversations: number;
};

/** A teammate's own account. */
export type AccountView = {
  name: string;
  email: string;
  /** Active connections of theirs and the workflows on them, in all their workspaces: they end with the account. */
  connections: number;
  liveWorkflows: number;
  /** `signature` is added below the emails that they write there. */
  workspaces: { id: string; name: string; role: Role; signature: string | null }[];
  /** Workspaces that would have no owner left: while there are any, the account cannot be deleted. */
  lastOwnerOf: string[];
};
