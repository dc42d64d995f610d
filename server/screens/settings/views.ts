import type { Plan } from '#server/generated/prisma/enums.ts';

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
