import type { MergedField } from '#server/contacts/merged-fields.ts';
import type { ShownCount } from '#server/core/shown-count.ts';
import type { Channel, Role } from '#server/generated/prisma/enums.ts';

export type { ErasureCount, ErasurePreview } from '#server/administration/privacy/preview-erasure.ts';
export { contactLabel } from '#server/contacts/contact-label.ts';

/** Path prefix of the download of a contact's data, followed by its id. */
export const CONTACT_DATA_PATH = '/contact-data/';

export type ContactRow = {
  id: string;
  name: string | null;
  email: string | null;
  /** Address that a contact without `email` claims. */
  claimedEmail: string | null;
  phone: string | null;
  companyName: string | null;
  createdAt: Date;
};

/** One page of a list, and the cursor of the next page, or null. */
export type Page<Row> = { rows: Row[]; nextCursor: string | null };

export type KnownContact = {
  id: string;
  name: string | null;
  email: string | null;
  /** Address that a contact without `email` claims. */
  claimedEmail: string | null;
  phone: string | null;
  city: string | null;
  language: string | null;
  company: { id: string; name: string } | null;
  createdAt: Date;
};

export type ContactView = KnownContact & {
  /** Number of other contacts of the company, up to `COLLEAGUES_MAX`. */
  colleagues: number;
  /** True if this teammate can change the contact and write to it. */
  mayChange: boolean;
  /** True if this teammate can download and erase the contact's data. */
  mayManageData: boolean;
  /** Scheduled erasure, which can be stopped until `dueAt`. */
  erasure: { dueAt: Date; requestedByName: string } | null;
  /** Other contacts with the same phone number, for teammates who can merge them. */
  samePhone: ContactRow[];
};

/** Upper bound of the count of colleagues. */
export const COLLEAGUES_MAX = 1_000;

/** Initial values of the contact form. `contact` is null for a new contact. */
export type ContactFormView =
  | { kind: 'not_allowed'; role: Role }
  | { kind: 'shown'; contact: KnownContact | null; companies: CompanyChoices };

/** Companies by name. `areAll` is true when the workspace has no more. */
export type CompanyChoices = { rows: { id: string; name: string }[]; areAll: boolean };

/** Result of the form: the contact, or the owner of the email address. */
export type SavedContact =
  | { kind: 'saved'; id: string; name: string }
  | { kind: 'email_taken'; sentence: string; owner: { id: string; name: string } };

/** Effect of merging the contact `from` into `into`. */
export type MergePreview = {
  from: KnownContact;
  into: KnownContact;
  /** Numbers of rows that move to `into`. */
  conversations: ShownCount;
  notes: ShownCount;
  identities: { channel: Channel; label: string }[];
  fields: MergedField[];
  /** Values of custom fields by the names of the fields. */
  customFields: { name: string; value: string; lost: string | null }[];
};

export type CompanyRow = {
  id: string;
  name: string;
  /** The first three domains by name, and the total number. */
  domains: string[];
  domainsCount: number;
  contacts: ShownCount;
};

export type CompanyView = {
  id: string;
  name: string;
  /** By name. `unlinked`: contacts with an address of the domain and without a company. */
  domains: { domain: string; unlinked: ShownCount }[];
  domainsMax: number;
  contacts: ShownCount;
  /** True if this teammate can change the company. */
  mayChange: boolean;
};
