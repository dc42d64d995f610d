import type { Email } from 'postal-mime';
import type { SigningKey } from './sign-mail.ts';

/** Behaviours of the stand-in's mail server. */
export const MAIL_ANSWERS = ['accept', '451', '450', '550', '552', '554', 'bounce', 'hang'] as const;
export type MailAnswer = (typeof MAIL_ANSWERS)[number];

export const MAIL_ANSWER_WORDS: Readonly<Record<MailAnswer, string>> = {
  accept: 'Accept',
  '451': '451 Try again later',
  '450': '450 Mailbox busy (greylisted)',
  '550': '550 No such mailbox',
  '552': '552 Mailbox full',
  '554': '554 Rejected as spam',
  bounce: 'Accept, then bounce',
  hang: 'Never respond',
};

export type Mail = {
  id: string;
  /** `out`: sent by the service. `in`: sent by a contact to the service. */
  direction: 'in' | 'out';
  at: Date;
  envelope: { from: string; to: string[] };
  /** Raw bytes of the mail. */
  raw: Buffer;
  email: Email;
  /** Final response of the receiving server, and whether it accepted the mail. */
  answer: string;
  accepted: boolean;
};

export type MailState = {
  /** Newest first. */
  mails: Mail[];
  /** Behaviour for the next `count` mails from the service, or for all when `count` is null. */
  answer: MailAnswer;
  count: number | null;
  /** Signs the contacts' mails. */
  signing: SigningKey;
};

/** Returns an empty mailbox that accepts all mail. */
export function emptyMailbox(signing: SigningKey): MailState {
  return { mails: [], answer: 'accept', count: null, signing };
}

const MAILS_MAX = 500;

/** Adds a mail as the newest. */
export function addMail(state: MailState, mail: Mail): void {
  state.mails.unshift(mail);
  if (state.mails.length > MAILS_MAX) state.mails.length = MAILS_MAX;
}
