import type { Email } from 'postal-mime';

/** How our mail server meets the mail of the service. */
export const MAIL_ANSWERS = ['take', '451', '450', '550', '552', '554', 'bounce', 'hang'] as const;
export type MailAnswer = (typeof MAIL_ANSWERS)[number];

export const MAIL_ANSWER_WORDS: Readonly<Record<MailAnswer, string>> = {
  take: 'Take it',
  '451': '451 Try again later',
  '450': '450 Mailbox busy (greylisted)',
  '550': '550 No such mailbox',
  '552': '552 Mailbox full',
  '554': '554 Refused as spam',
  bounce: 'Take it, then bounce',
  hang: 'Never answer',
};

export type Mail = {
  id: string;
  /** `out`: the service sent it; `in`: a contact wrote it to the service. */
  direction: 'in' | 'out';
  at: Date;
  envelope: { from: string; to: string[] };
  /** The mail as it was on the wire. */
  raw: Buffer;
  email: Email;
  /** What the receiving server said in the end, and whether the mail was taken. */
  answer: string;
  taken: boolean;
};

export type MailState = {
  /** Newest first. */
  mails: Mail[];
  /** What the next mails of the service meet; `count` of them, or all when it is null. */
  answer: MailAnswer;
  count: number | null;
};

/** An empty mailbox that takes everything. */
export function emptyMailbox(): MailState {
  return { mails: [], answer: 'take', count: null };
}

const MAILS_KEPT = 500;

/** Puts a mail on top. */
export function keepMail(state: MailState, mail: Mail): void {
  state.mails.unshift(mail);
  if (state.mails.length > MAILS_KEPT) state.mails.length = MAILS_KEPT;
}
