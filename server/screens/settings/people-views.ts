import type { ShownCount } from '#server/core/shown-count.ts';
import type { Channel, Role, TeamAssignment } from '#server/generated/prisma/enums.ts';
import type { Away } from '#server/teammates/away.ts';

export type { TeamAssignment } from '#server/generated/prisma/enums.ts';

export type TeammateRow = {
  id: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  isYou: boolean;
  /** Roles that the reader may give, including the current one. */
  roles: Role[];
  /** True if the reader may remove them, or may leave. */
  mayRemove: boolean;
  /** Reason why their role cannot change, or null. */
  problem: string | null;
  connections: number;
  away: Away | null;
  /** The reader may set them away or back. */
  maySetAway: boolean;
  /** For owners and admins, false for others. */
  hasSecondFactor: boolean;
  mayResetSecondFactor: boolean;
};

/** The members: owners first, then admins, agents and viewers, each by name. */
export type TeammatesView = {
  /** True if the reader is an owner or admin. */
  mayManage: boolean;
  /** Roles to which the reader may invite. */
  invitableRoles: Role[];
  teammates: TeammateRow[];
};

/** Consequences of a teammate's removal. */
export type RemovalView = {
  name: string;
  connections: number;
  liveWorkflows: number;
  conversations: number;
};

export type InvitationRow = {
  id: string;
  email: string;
  role: Role;
  /** They will see only conversations that are assigned to them or their teams. */
  onlyAssigned: boolean;
  /** Null when the account is deleted. */
  invitedBy: string | null;
  expiresAt: Date;
  /** It has expired, but can be resent. */
  isOver: boolean;
  /** Null until its email is sent. */
  mailedAt: Date | null;
  /** Its email was queued long ago, and no mail server has accepted it. */
  isDelayed: boolean;
  /** True if this teammate may resend and withdraw it. */
  mayChange: boolean;
};

/**
 * The page of an invitation link. `next` is the visitor's next step: choose name and password (`join`), accept
 * (`accept`), sign in (`sign_in`) or sign out (`sign_out`, for the reason in `problem`).
 */
export type InvitationView =
  | { kind: 'refused'; message: string }
  | {
      kind: 'open';
      workspaceName: string;
      role: Role;
      /** For example `an agent`. */
      asRole: string;
      email: string;
      /** Suggested name of the invited person. */
      name: string | null;
      invitedBy: string | null;
      expiresAt: Date;
      next: 'join' | 'accept' | 'sign_in' | 'sign_out' | 'sign_on';
      problem: string | null;
      /** Leads to the identity provider of the workspace, whose sign-in accepts the invitation (`sign_on`). */
      signOnPath: string | null;
      /** The invited person may choose a password instead of single sign-on. */
      takesPassword: boolean;
    };

/** A team with its members by name and its number of conversations. */
export type TeamView = {
  id: string;
  name: string;
  members: { id: string; name: string }[];
  conversations: ShownCount;
  assignment: TeamAssignment;
  /** Open conversations with which a member gets no more automatically. Null: no limit. */
  assignmentLimit: number | null;
};

export type TeamsView = {
  /** True if this teammate can change them. */
  mayManage: boolean;
  teams: TeamView[];
  teamsMax: number;
  /** Possible members of a team, by name. */
  teammates: { id: string; name: string }[];
};

export type VisibilityView = {
  sources: SourceView[];
  teams: { id: string; name: string }[];
  /** Agents and viewers. */
  teammates: { id: string; name: string; role: Role; onlyAssigned: boolean }[];
};

/** A mailbox, an account of a channel or the web chat, with the teams that see its conversations; null: everyone. */
export type SourceView = {
  name: string;
  channel: Channel;
  mailboxId: string | null;
  channelAccountId: string | null;
  teamIds: string[] | null;
};
