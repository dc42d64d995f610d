/** How large a mail may be, in bytes; a larger one is refused with 552 (RFC 5321 §4.2.3). */
export const MAIL_MAX_BYTES = 50 * 1024 * 1024;
/** How many recipients a mail may name in one delivery; one more is refused with 452 (RFC 5321 §4.5.3.1.10). */
export const RECIPIENTS_MAX = 1_000;

/** How many files of a mail become attachments; the rest stay in its original alone. */
export const FILES_MAX = 100;
/** How much of its text is looked at, in UTF-16 units: several times what a message keeps. */
export const TEXT_MAX_LENGTH = 400_000;
/** How much HTML is looked at, in UTF-16 units. */
export const HTML_MAX_LENGTH = 2_000_000;
/** How many references of a mail are looked up (RFC 5322 §3.6.4 sets no limit). */
export const REFERENCES_MAX = 50;
/** The longest Message-ID that is kept; a longer one is none (RFC 5322 §2.1.1). */
export const MESSAGE_ID_MAX_LENGTH = 998;
/** How many addresses are kept of each of To and Cc. */
export const ADDRESSES_MAX = 100;

/** How long a mail may take to be parsed, and to be authenticated, in milliseconds of a processor. */
export const MAIL_THREAD_MS = 10_000;
/** How much memory a thread may use for its objects, in MiB. */
export const MAIL_THREAD_MB = 512;
