import type { Role } from '#server/generated/prisma/enums.ts';

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
