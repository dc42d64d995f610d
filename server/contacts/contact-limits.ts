/** How many characters each field of a contact may have, counted in code points (spec.md §8, contact fields). */
export const CONTACT_MAX = { name: 160, email: 255, phone: 60, city: 120, language: 8 } as const;

/** The same of a company's name, which the contract does not limit: as long as a contact's. */
export const COMPANY_NAME_MAX = 160;
