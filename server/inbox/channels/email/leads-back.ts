import { inboundHost, parseForwardingAddress } from '#server/inbox/channels/email/inbound-addresses.ts';
import { parseSignedAddress } from '#server/inbox/channels/email/signed-address.ts';

/**
 * Returns the addresses whose mailbox receives mail to an address: the address itself, then without its subaddress, such as
 * `support@acme.test` for `support+billing@acme.test` (docs/rulings.md 3.38). The first one that is a mailbox receives it.
 * @param address lowercase
 */
export function mailboxAddresses(address: string): string[] {
  const at = address.lastIndexOf('@');
  const found = [address];
  for (let plus = address.lastIndexOf('+', at); plus > 0; plus = address.lastIndexOf('+', plus - 1)) {
    found.push(address.slice(0, plus) + address.slice(at));
  }
  return found.slice(0, SUBADDRESSES_MAX);
}

/** More parts are ignored, so that an address cannot cause a long list. */
const SUBADDRESSES_MAX = 10;

/**
 * Returns whether an address leads back to a workspace: to one of its mailboxes, also with a subaddress, or by a reply or
 * bounce address at the domain of one of them, valid or forged (docs/rulings.md 3.30). An address at the service's own domain, also of
 * another workspace, leads back, because a person never has one. Forwarding, copies, new conversations,
 * blocking and incoming mail have this rule.
 * @param address lowercase
 */
export function leadsBack(address: string, mailboxes: readonly { address: string }[]): boolean {
  if (parseForwardingAddress(address) !== undefined) return true;
  const own = mailboxAddresses(address);
  const isSigned = parseSignedAddress(address) !== undefined;
  const domain = address.slice(address.lastIndexOf('@'));
  if (isSigned && domain.slice(1) === inboundHost()) return true;
  return mailboxes.some(
    (mailbox) => own.includes(mailbox.address) || (isSigned && mailbox.address.endsWith(domain)),
  );
}
