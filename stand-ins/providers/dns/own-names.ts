/** Top-level domains that exist on no name server (RFC 6761), so the stand-in answers for them. */
const OWN = ['test', 'example', 'invalid', 'localhost'];
/** Domains for examples (RFC 2606), which the contacts of the demo data have. */
const EXAMPLES = ['example.com', 'example.org', 'example.net'];

/** Returns whether the stand-in answers for a name itself. Other names are real. */
export function isOwnName(name: string): boolean {
  return OWN.includes(name.slice(name.lastIndexOf('.') + 1)) || isBelowExample(name);
}

/** Returns whether a name belongs to the contacts: the stand-in signs their mails. */
export function isContactName(name: string): boolean {
  return name.endsWith('.example') || isBelowExample(name);
}

function isBelowExample(name: string): boolean {
  return EXAMPLES.some((domain) => name === domain || name.endsWith(`.${domain}`));
}
