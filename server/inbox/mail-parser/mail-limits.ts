/** Maximum size of a mail, in bytes. Larger mails are refused with 552 (RFC 5321 §4.2.3). */
export const MAIL_MAX_BYTES = 50 * 1024 * 1024;
/** Maximum number of recipients per delivery. More are refused with 452 (RFC 5321 §4.5.3.1.10). */
export const RECIPIENTS_MAX = 1_000;

/** Maximum number of attachments per mail. Further files are only in the original. */
export const FILES_MAX = 100;
/** Maximum length of the parsed text, in UTF-16 units: several times the length of a message. */
export const TEXT_MAX_LENGTH = 400_000;
/** Maximum length of the parsed HTML, in UTF-16 units. */
export const HTML_MAX_LENGTH = 2_000_000;
/** Maximum number of references that are looked up (RFC 5322 §3.6.4 sets no limit). */
export const REFERENCES_MAX = 50;
/** Maximum length of a Message-ID (RFC 5322 §2.1.1). Longer ids are ignored. */
export const MESSAGE_ID_MAX_LENGTH = 998;
/** Maximum length of an address (RFC 5321 §4.5.3.1.3). */
export const ADDRESS_MAX_LENGTH = 254;
/** Maximum length of the reason in a delivery report, in UTF-16 units. */
export const DIAGNOSTIC_MAX_LENGTH = 300;
/** Maximum number of addresses from each of To and Cc. */
export const ADDRESSES_MAX = 100;
/** Maximum number of addresses from Reply-To: a reply is sent to all of them. */
export const REPLY_TO_MAX = 10;

/** Maximum size of the header section, in bytes. */
export const HEADERS_MAX_BYTES = 256 * 1024;

/**
 * Maximum number of lines in a mail: a base number, plus one line per `BYTES_PER_LINE` bytes. Parsers use memory for
 * each line. Base64 attachments have lines of 60 bytes or more.
 */
export const LINES_MAX = 50_000;
export const BYTES_PER_LINE = 40;
/** Maximum number of lines that start with two dashes: each may separate two MIME parts (RFC 2046 §5.1.1). */
export const DASH_LINES_MAX = 10_000;

/** Processor time limit of one mail, in ms. */
export const MAIL_PROCESS_MS = 10_000;
/** Memory limits of a parser process, in bytes: for killing it, and for replacing it after the current mail. */
export const MAIL_PROCESS_MAX_BYTES = 500 * 1024 * 1024;
export const MAIL_PROCESS_RECYCLE_BYTES = 150 * 1024 * 1024;
/** Limit of V8's heap in a parser process, in MiB. */
export const MAIL_PROCESS_HEAP_MB = 256;
/** Number of mails that a worker parses in parallel, each in its own process. */
export const MAIL_PROCESSES_MAX = 4;
