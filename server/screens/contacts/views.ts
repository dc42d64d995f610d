import type { ShownCount } from '#server/core/shown-count.ts';
import type { Role } from '#server/generated/prisma/enums.ts';

export { contactLabel } from '#server/contacts/contact-label.ts';

/** A contact as a row of the list. */
export type ContactRow = {
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  companyName: string | null;
  createdAt: Date;
};

/** Part of a list, and where the next one begins; null: there is none. */
export type Page<Row> = { rows: Row[]; nextCursor: string | null };

/** What is known of a contact. */
export type KnownContact = {
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  city: string | null;
  language: string | null;
  company: { id: string; name: string } | null;
  createdAt: Date;
};

/** A contact opened on its own page. */
export type ContactView = KnownContact & {
  /** How many other contacts its company has, counted up to `COLLEAGUES_MAX`. */
  colleagues: number;
  /** Whether this teammate may change it and write to it. */
  mayChange: boolean;
};

/** The colleagues of a contact are counted no further than this. */
export const COLLEAGUES_MAX = 1_000;

/** What the form of a contact begins with; `contact` null: someone new. */
export type ContactFormView =
  | { kind: 'not_allowed'; role: Role }
  | { kind: 'shown'; contact: KnownContact | null; companies: CompanyChoices };

/** Companies by name. `areAll`: whether the workspace has no more than these. */
export type CompanyChoices = { rows: { id: string; name: string }[]; areAll: boolean };

/** What became of a form that was sent: the contact, or whose the email address is already. */
export type SavedContact =
  | { kind: 'saved'; id: string; name: string }
  | { kind: 'email_taken'; sentence: string; owner: { id: string; name: string } };

/** A company as a row of the list. */
export type CompanyRow = {
  id: string;
  name: string;
  /** Its domains by name, at most the first three, and how many it has. */
  domains: string[];
  domainsCount: number;
  contacts: ShownCount;
};

/** A company opened on its own page. */
export type CompanyView = {
  id: string;
  name: string;
  /** By name; `unlinked`: contacts who have an address of it and no company. */
  domains: { domain: string; unlinked: ShownCount }[];
  domainsMax: number;
  contacts: ShownCount;
  /** The viewer may change it. */
  mayChange: boolean;
};
