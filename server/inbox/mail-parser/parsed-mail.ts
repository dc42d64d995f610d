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
export type AutomaticReason = 'auto_submitted' | 'precedence' | 'list' | 'no_return_path' | 'report' | 'ours';

/** A report that a mail from us was not delivered (RFC 3464). */
export type Bounce = {
  /** `delayed` is not final: the server keeps trying. */
  action: 'failed' | 'delayed';
  /** Original recipient, else the final recipient; null when the report contains neither. */
  recipient: string | null;
  /** Enhanced status code (RFC 3463), for example `5.1.1`. */
  status: string | null;
  /** Diagnostic of the other server, in one line. */
  diagnostic: string | null;
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
  subject: string | null;
  /** The Date header as sent. */
  date: string | null;
  /** New text of the sender; empty for a mail with only files. */
  text: string;
  /** Complete text with quotes, when `text` is only a part of it; else null. */
  fullText: string | null;
  /** Sanitized HTML; null without HTML. Embedded pictures keep their `cid:` URLs. */
  html: string | null;
  files: MailFile[];
  /** Number of files beyond the maximum; they are only in the original. */
  filesLeftOut: number;
  automatic: AutomaticReason | null;
  bounce: Bounce | null;
};
