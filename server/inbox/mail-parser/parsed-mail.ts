/** Somebody named in a mail; the address is lowercase. */
export type MailAddress = { name: string; address: string };

/** A file of a mail. `contentId` is without its brackets. */
export type MailFile = {
  name: string;
  contentType: string;
  contentId: string | null;
  /** A picture that the HTML shows in its text: no attachment to a reader. */
  isInline: boolean;
  content: Uint8Array;
};

/** Why a mail counts as sent by a machine (decisions: conversations and contacts, 20). */
export type AutomaticReason = 'auto_submitted' | 'precedence' | 'list' | 'no_return_path' | 'report' | 'ours';

/** A report that a mail of ours did not arrive (RFC 3464). */
export type Bounce = {
  /** `delayed` is no failure yet: the server goes on trying. */
  action: 'failed' | 'delayed';
  /** The address that the mail was sent to, else the one it was forwarded to; null when the report names neither. */
  recipient: string | null;
  /** The enhanced status code (RFC 3463), as in `5.1.1`; null when there is none. */
  status: string | null;
  /** What the other server said, in one line; null when the report does not say. */
  diagnostic: string | null;
};

/** A mail as it is worked with; all of its texts are bounded, none is trusted. */
export type ParsedMail = {
  messageId: string | null;
  inReplyTo: string[];
  /** Oldest first, in their order. */
  references: string[];
  from: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  subject: string | null;
  /** What the sender newly wrote; empty when the mail has files alone. */
  text: string;
  /** All of it, with what it quotes, where `text` is a part of that; else null. */
  fullText: string | null;
  /** Its HTML without anything that could act; null when it has none. Pictures keep their `cid:` addresses. */
  html: string | null;
  files: MailFile[];
  /** Files that stay in the original alone, as there were more than are kept. */
  filesLeftOut: number;
  automatic: AutomaticReason | null;
  bounce: Bounce | null;
};
