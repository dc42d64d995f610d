/** A name and address in a header; the address is lowercase. */
export type MailAddress = { name: string; address: string };

/** `contentId` has no angle brackets. */
export type MailFile = {
  name: string;
  contentType: string;
  contentId: string | null;
  /** True for a picture that the HTML embeds; readers do not see it as an attachment. */
  isInline: boolean;
  content: Uint8Array;
};

/** Reason why a mail counts as automatic (`docs/rulings.md` 3.20). */
export type AutomaticReason =
  | 'auto_submitted'
  | 'auto_generated'
  /** A rule of the author's mailbox forwarded another mail, or answered one. */
  | 'mailbox_rule'
  | 'list'
  | 'no_return_path'
  /** A delivery report. */
  | 'report'
  /** A report about mail that arrived: a receipt (RFC 8098) or a complaint (RFC 5965). */
  | 'receipt';

/** What a mail server reports about one recipient of a mail from us (RFC 3464). */
export type ReportedRecipient = {
  /** Only `failed` is a failure. The server keeps trying after `delayed`. */
  action: 'failed' | 'delayed' | 'relayed' | 'delivered';
  /** The recipient's addresses in lowercase: the original and the final one may differ. At least one. */
  addresses: string[];
  /** Enhanced status code (RFC 3463), for example `5.1.1`. */
  status: string | null;
  /** Diagnostic of the other server, in one line. */
  diagnostic: string | null;
};

/** A header field, in lowercase, and the one address that it names. */
export type NamedAddress = { field: string; address: MailAddress };

/** What a group or another forwarder wrote into a mail. */
export type RewrittenMail = {
  /** The original author, by X-Original-From and X-Original-Sender. */
  originals: NamedAddress[];
  /** Possible addresses of the mailing list. */
  lists: NamedAddress[];
};

/** An event in a calendar, to which a person invites. Times are in ISO 8601: UTC, without a zone, or a date. */
export type CalendarInvitation = {
  kind: 'request' | 'answer' | 'cancellation';
  /** Null if the sender does not answer, or answers with none of these. */
  answer: 'accepted' | 'declined' | 'tentative' | null;
  title: string;
  start: string | null;
  /** The last day for an event of whole days; null for a single day or without an end. */
  end: string | null;
  /** The zone of the start, as its sender names it. */
  timeZone: string | null;
  place: string;
  /** Name, else address. */
  organizer: string;
  repeats: boolean;
};

/** A parsed mail. All texts are bounded and untrusted. */
export type ParsedMail = {
  messageId: string | null;
  inReplyTo: string[];
  /** Oldest first. */
  references: string[];
  from: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  /** At most `REPLY_TO_MAX`. */
  replyTo: MailAddress[];
  rewritten: RewrittenMail;
  subject: string | null;
  /** The Date header as sent. */
  date: string | null;
  /** New text of the sender; empty for a mail with only files. */
  text: string;
  /** Complete text with quotes, when `text` is only a part of it; else null. */
  fullText: string | null;
  /** Senders that header blocks of forwarded mails in the text name, the outermost first. */
  forwarded: MailAddress[];
  /** The address in the "Email" row of a contact form's mail. */
  formEmail: MailAddress | null;
  /** Sanitized HTML; null without HTML. Embedded pictures keep their `cid:` URLs. */
  html: string | null;
  /** Only its recipient can read it (RFC 8551, RFC 3156). */
  isEncrypted: boolean;
  invitation: CalendarInvitation | null;
  files: MailFile[];
  /** Number of files beyond the maximum; they are only in the original. */
  filesLeftOut: number;
  automatic: AutomaticReason | null;
  /** Its author only reacted to a mail. The emoji is null if it is only a picture. */
  reaction: { emoji: string | null } | null;
  /** Its headers forbid automatic answers. A person may have written it. */
  forbidsAnswers: boolean;
  /** A mail server sent it, for example a bounce. */
  isFromMailServer: boolean;
  /** The recipients that a delivery report names; null for other mail, and for a report that names none. */
  bounce: ReportedRecipient[] | null;
};
