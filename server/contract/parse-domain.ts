import { domainToASCII } from 'node:url';
import { invalid } from '#server/core/errors.ts';

const DOMAIN_MAX_LENGTH = 253;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels, and the last one no number: then it would be an address of a machine. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);
/** What is in addresses around a domain: read as one, `example.com/x` would pass for `example.com`. */
const AROUND = /[\s/\\?#:@%]/;

const NO_DOMAIN = 'Enter the domain of your email addresses, for example example.com.';

/**
 * A domain as it was typed, in the form in which the network knows it: lowercase, other scripts in ASCII.
 * @param problem what is said of what is no domain
 * @throws Refusal for what is none
 */
export function parseDomain(typed: string, problem: string = NO_DOMAIN): string {
  // Other scripts are shorter before they are written in ASCII; accents alone make them a little longer.
  const name = typed
    .trim()
    .slice(0, 4 * DOMAIN_MAX_LENGTH)
    .replace(/\.$/, '');
  const domain = AROUND.test(name) ? '' : domainToASCII(name).toLowerCase();
  if (domain.length <= DOMAIN_MAX_LENGTH && DOMAIN.test(domain)) return domain;
  throw invalid({ domain: [problem] });
}
