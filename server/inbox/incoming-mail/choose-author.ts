import type { AuthenticatedMail, MailAuthentication } from '#server/inbox/mail-parser/authenticated-mail.ts';
import type { MailAddress, NamedAddress, ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';

/** The parts of a mail that decide about its author. */
type AuthoredMail = Pick<ParsedMail, 'from' | 'replyTo' | 'rewritten' | 'automatic'> &
  Pick<AuthenticatedMail, 'authentication' | 'signedFields' | 'isOpenDomain'>;

/** What the workspace knows about the addresses of a mail. Addresses are in lowercase. */
export type KnownAddresses = {
  /** Mailboxes, also with a subaddress, and reply and bounce addresses (docs/rulings.md 3.30). */
  leadsBack(address: string): boolean;
  /** Signed reply addresses, valid or forged, at the domain of a mailbox. */
  isReplyAddress(address: string): boolean;
  /** The workspace sent a mail with this Message-ID. Its shape says nothing, because programs of forms write similar ones. */
  isSent: boolean;
  /** Senders that the workspace listed as forms. */
  isForm(address: string): boolean;
  /** Domains that the workspace verified. */
  isVerifiedDomain(domain: string): boolean;
};

export type ChosenAuthor = {
  /** The person who wrote; null when the mail names nobody. */
  author: MailAddress | null;
  /** The author is From. Only then can the mail be a teammate's. */
  isFrom: boolean;
  /** From is a form, and the mail names no person in Reply-To. */
  isForm: boolean;
  /** Result for the author, who may be another person than From. */
  authentication: MailAuthentication;
  /** Addresses that the mail asks to answer, without those of the author and ours. */
  replyTo: string[];
  isAutomatic: boolean;
};

/**
 * Decides who wrote a mail and who is answered (docs/rulings.md 3.35 to 3.37). The author is From, except in three cases,
 * in which From is nobody's:
 * - From names no address. The author is in Reply-To.
 * - From is a form that the workspace listed. The author is in Reply-To.
 * - From is one of our addresses: a form on our own website, or a group that rewrote From. The author is in the fields of
 *   the group, or in Reply-To.
 *
 * Anyone can write these fields, so such an author is a claim (`failed`), which joins no thread. There are two exceptions. A
 * group vouches for the author if its signature does, see `isVouchedFor`. And an author whose domain publishes nothing proves as
 * much as if they had written without the group.
 */
export function chooseAuthor(mail: AuthoredMail, known: KnownAddresses): ChosenAuthor {
  const { from, rewritten, authentication } = mail;
  const isOurs = from !== null && known.leadsBack(from.address);
  const isForm = from !== null && !isOurs && known.isForm(from.address);
  const originals = rewritten.originals.filter(({ address }) => !known.leadsBack(address.address));
  const asked = mail.replyTo.filter(({ address }) => !known.leadsBack(address));
  const [original] = isOurs ? originals : [];
  const person = original?.address ?? (isOurs || isForm || from === null ? asked[0] : undefined);
  const author = person ? { ...person, name: nameOf(person, mail) } : from;
  const replyTo = [...new Set(asked.map(({ address }) => address))];
  return {
    author,
    isFrom: person === undefined,
    isForm: person === undefined && (isOurs || isForm),
    authentication: person ? authenticatePerson(mail, original, { known, originals }) : authentication,
    // A mail that asks for the author only asks for nothing else.
    replyTo: replyTo.length === 1 && replyTo[0] === author?.address ? [] : replyTo,
    isAutomatic: isAutomatic(mail, known, { isOurs, isWritten: person !== undefined && !original }),
  };
}

function authenticatePerson(
  mail: AuthoredMail,
  original: NamedAddress | undefined,
  { known, originals }: { known: KnownAddresses; originals: NamedAddress[] },
): MailAuthentication {
  if (!original || mail.authentication === 'failed') return 'failed';
  const others = originals.some(({ address }) => address.address !== original.address.address);
  if (others) return 'failed';
  if (isVouchedFor(original, mail, known)) return 'passed';
  return mail.isOpenDomain ? 'unknown' : 'failed';
}

/**
 * Returns whether a group vouches for the author. The group's mail must have passed for a domain that the workspace
 * verified, and a signature of that domain must cover both the author and the list, which must be one of our addresses. Without the list,
 * the mail could be any of our own mails, or of our website's forms, whose fields strangers choose. Reply-To
 * never vouches, because groups leave the one of the author in place.
 */
function isVouchedFor(
  { field }: NamedAddress,
  { from, authentication, signedFields, rewritten }: AuthoredMail,
  known: KnownAddresses,
): boolean {
  const domain = from?.address.slice(from.address.lastIndexOf('@') + 1) ?? '';
  return (
    authentication === 'passed' &&
    known.isVerifiedDomain(domain) &&
    signedFields.includes(field) &&
    rewritten.originals.every((each) => signedFields.includes(each.field)) &&
    rewritten.lists.some((list) => signedFields.includes(list.field) && known.leadsBack(list.address.address))
  );
}

/**
 * Returns whether a machine wrote the mail (docs/rulings.md 3.20). A mailing list that is one of our addresses is how people
 * write to us, and a form's program passes on what a person typed. Our own mail that comes back is a machine's.
 */
function isAutomatic(
  { automatic, rewritten, replyTo }: AuthoredMail,
  known: KnownAddresses,
  { isOurs, isWritten }: { isOurs: boolean /** A person typed it into a form. */; isWritten: boolean },
): boolean {
  if (isOurs && (known.isSent || replyTo.some(({ address }) => known.isReplyAddress(address)))) return true;
  if (automatic === 'list') {
    return !isWritten && !rewritten.lists.some(({ address }) => known.leadsBack(address.address));
  }
  // What a rule of our own mailbox sends here is a person's mail.
  if (automatic === 'mailbox_rule') return !isOurs;
  return automatic === 'auto_generated' ? !isWritten : automatic !== null;
}

/** Returns the name of a person, also from a From that a group rewrote, such as `'Paul Stein' via Support`. */
function nameOf({ name, address }: MailAddress, { from, replyTo }: AuthoredMail): string {
  return (
    name ||
    replyTo.find((each) => each.address === address)?.name ||
    (/^['"]?(.{1,160}?)['"]? via /.exec(from?.name ?? '')?.[1] ?? '')
  );
}
