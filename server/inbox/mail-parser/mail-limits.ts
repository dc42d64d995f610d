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

/** Bytes of a mail that are read for its headers alone. */
export const HEADERS_MAX_BYTES = 256 * 1024;

/**
 * Upper bound on the lines of a mail, as parsers keep some memory for each line: a number that any mail may have, and one
 * more for each so many bytes. Attachments in base64 have lines of 60 bytes or more.
 */
export const LINES_MAX = 50_000;
export const BYTES_PER_LINE = 40;
/** Upper bound on the lines with two dashes in front: each may separate two MIME parts (RFC 2046 §5.1.1). */
export const DASH_LINES_MAX = 10_000;

/** Processor time that reading one mail may take, in ms. */
export const MAIL_PROCESS_MS = 10_000;
/** Memory at which a parser process is killed, and at which it is replaced after the mail that it reads, in bytes. */
export const MAIL_PROCESS_MAX_BYTES = 500 * 1024 * 1024;
export const MAIL_PROCESS_RECYCLE_BYTES = 150 * 1024 * 1024;
/** Limit of V8's heap in a parser process, in MiB. */
export const MAIL_PROCESS_HEAP_MB = 256;
/** Number of mails that a worker reads at the same time: each has a parser process. */
export const MAIL_PROCESSES_MAX = 4;
