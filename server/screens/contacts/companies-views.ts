import type { ShownCount } from '#server/core/shown-count.ts';

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
