import type { ShownCount } from '#server/core/shown-count.ts';
import type { Plan, Role } from '#server/generated/prisma/enums.ts';

/** An email domain as the workspace's settings show it. */
export type DomainView = {
  id: string;
  domain: string;
  /** Null: not verified yet. */
  verifiedAt: Date | null;
  /** The record to add to the domain's DNS. */
  record: { type: 'TXT'; name: string; value: string };
  /** It may be removed: it has no mailboxes. */
  mayRemove: boolean;
};

/** An address that contacts write to. */
export type MailboxView = {
  id: string;
  address: string;
  name: string;
  isDefault: boolean;
  /** Why no email leaves from it, as a sentence, or null when it does. */
  problem: string | null;
};

export type WorkspaceSettingsView =
  | { kind: 'not_allowed'; role: string }
  | {
      kind: 'shown';
      name: string;
      assignOnReply: boolean;
      askForRating: boolean;
      /** Days; null: never. At most `closeAfterDaysMax`. */
      closeSolvedAfterDays: number | null;
      closeAfterDaysMax: number;
      /**
       * Within so many minutes a contact is to be answered first, and what they ask is to be solved; null: no limit.
       */
      slaFirstResponseMinutes: number | null;
      slaResolutionMinutes: number | null;
      domains: DomainView[];
      mailboxes: MailboxView[];
      /** Why no domain can be added or verified, as a sentence, or null when it can. */
      emailProblem: string | null;
      /** The viewer is an owner. */
      mayDelete: boolean;
    };

/** A plan with what it includes. */
export type PlanView = {
  plan: Plan;
  planName: string;
  /** Null: as many as are wanted. */
  slots: number | null;
  internalNotes: boolean;
  emailSending: boolean;
  isCurrent: boolean;
  /** What would be different for this workspace on a plan that includes less, as sentences; empty: nothing. */
  losses: string[];
};

export type PlansView = { mayChange: boolean; slotsUsed: number; plans: PlanView[] };

/** What ends when the workspace is deleted. */
export type WorkspaceDeletionView = {
  name: string;
  teammates: number;
  connections: number;
  liveWorkflows: number;
  conversations: number;
};

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

/** An invitation that is open, as the list of teammates shows it. */
export type InvitationRow = {
  id: string;
  email: string;
  role: Role;
  /** Null: their account is deleted. */
  invitedBy: string | null;
  expiresAt: Date;
  /** It can no longer be accepted, but sent again. */
  isOver: boolean;
  /** Null: its mail has not left yet. */
  mailedAt: Date | null;
  /** The viewer may send it again and withdraw it. */
  mayChange: boolean;
};

/**
 * What the page of an invitation's link shows. `next` says what its visitor does: choose name and password (`join`),
 * accept as they are signed in (`accept`), sign in first (`sign_in`), or sign out first (`sign_out`; `problem` says
 * why).
 */
export type InvitationView =
  | { kind: 'refused'; message: string }
  | {
      kind: 'open';
      workspaceName: string;
      role: Role;
      /** The role in words: `an agent`. */
      asRole: string;
      email: string;
      /** What they are probably called, to be filled in. */
      name: string | null;
      invitedBy: string | null;
      expiresAt: Date;
      next: 'join' | 'accept' | 'sign_in' | 'sign_out';
      problem: string | null;
    };

/** A team as the settings show it: its members by name, and how many conversations are in it. */
export type TeamView = {
  id: string;
  name: string;
  members: { id: string; name: string }[];
  conversations: ShownCount;
};

/** The teams of a workspace by name. */
export type TeamsView = {
  /** The viewer may change them. */
  mayManage: boolean;
  teams: TeamView[];
  teamsMax: number;
  /** Who can be a member of a team, by name. */
  teammates: { id: string; name: string }[];
};
