const LENGTH_MAX = 2_000;
const SCHEME = /^(https?:\/\/|mailto:|tel:)/i;

/** Returns whether a link of a formatted text may lead to an address: a web address, an email address or a phone number. */
export function isLinkAddress(address: string): boolean {
  return address.length <= LENGTH_MAX && SCHEME.test(address) && URL.canParse(address);
}
