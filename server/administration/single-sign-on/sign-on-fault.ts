/** Why a sign-in through a provider failed or does not start, with the sentence for the person and the audit log. */
export const SIGN_ON_FAULTS = {
  linked: 'Another site sent you here. Continue only if you want to sign in.',
  expired: 'This sign-in has expired, was used already, or was started in another browser.',
  off: 'Single sign-on is not set up for this workspace, or was changed in the meantime.',
  busy: 'Too many sign-ins were started from your network. Wait a minute.',
  unreachable: 'The identity provider did not answer.',
  denied: 'The identity provider did not let you in, or you cancelled.',
  provider: 'The identity provider reported an error.',
  client:
    'The identity provider does not accept the client ID and secret of this workspace. An owner can enter new ones.',
  clock: 'The clock of the identity provider differs too much from ours.',
  untrusted: 'The response of the identity provider could not be verified.',
  unverified: 'The identity provider does not confirm your email address.',
  outside: 'Your email address is not in a domain for which this workspace uses single sign-on.',
  uninvited: 'You are not in this workspace. Ask an owner or admin to invite you.',
  other_person:
    'Your email address belongs to another person at the identity provider. An owner can remove that teammate and invite you.',
  other_session: 'You signed in at the identity provider as someone else than in this browser.',
} as const;

export type SignOnReason = keyof typeof SIGN_ON_FAULTS;

/** Thrown when a sign-in through a provider fails. `cause` is for the log. */
export class SignOnFault extends Error {
  readonly reason: SignOnReason;

  constructor(reason: SignOnReason, cause?: unknown) {
    super(SIGN_ON_FAULTS[reason], { cause });
    this.reason = reason;
  }
}

/** Returns whether a text is a reason, as in the address of a page. */
export function isSignOnReason(text: string): text is SignOnReason {
  return Object.hasOwn(SIGN_ON_FAULTS, text);
}
