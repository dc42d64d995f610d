import { db } from '#server/core/database/prisma.ts';
import { asciiEmail } from '#server/core/email-domain.ts';
import { inboundHost, parseForwardingAddress } from '#server/inbox/channels/email/inbound-addresses.ts';
import { mailboxAddresses } from '#server/inbox/channels/email/leads-back.ts';
import { parseSignedAddress } from '#server/inbox/channels/email/signed-address.ts';

/** The mailbox, conversation or outgoing message that an address leads to. */
export type MailRecipient = { workspaceId: string; mailboxId: string | null } & (
  | {
      kind: 'mailbox';
      /** The address, if it has a subaddress. */
      tagged?: string;
      /** It is the forwarding address. */
      isForwarded?: boolean;
    }
  | { kind: 'reply'; conversationId: string }
  | { kind: 'bounce'; messageId: string }
);

/** RFC 5321 §4.5.3.1.3. */
const ADDRESS_MAX_LENGTH = 254;

/**
 * Finds the recipient of an address: a mailbox, also with a subaddress or by its forwarding address, or the conversation or outgoing message of a signed address. The domain
 * of a signed address must be a mailbox domain of the workspace, or the service's own. A bounce address can also have the id of a conversation
 * (`returnAddresses`), and then leads to no message.
 * @returns undefined for an unknown or forged address
 */
export async function findRecipient(typed: string): Promise<MailRecipient | undefined> {
  const address = asciiEmail(typed.trim());
  if (address.length > ADDRESS_MAX_LENGTH) return undefined;
  const forwardedTo = parseForwardingAddress(address);
  if (forwardedTo !== undefined) return findForwardedMailbox(forwardedTo);
  const signed = parseSignedAddress(address);
  if (signed === 'forged') return undefined;
  if (signed === undefined) return findMailbox(address);
  const { kind, id, domain } = signed;
  const where = (kind === 'bounce' ? await messageOf(id) : null) ?? (await conversationOf(id));
  if (!where || !(where.domains.has(domain) || domain === inboundHost())) return undefined;
  const { workspaceId, mailboxId } = where;
  return kind === 'reply'
    ? { kind, workspaceId, mailboxId, conversationId: id }
    : { kind, workspaceId, mailboxId, messageId: id };
}

async function findMailbox(address: string): Promise<MailRecipient | undefined> {
  const addresses = mailboxAddresses(address);
  const mailboxes = await db().mailbox.findMany({
    where: { address: { in: addresses }, workspace: { deletedAt: null } },
    select: { id: true, workspaceId: true, address: true },
  });
  const [mailbox] = mailboxes.toSorted((a, b) => addresses.indexOf(a.address) - addresses.indexOf(b.address));
  if (!mailbox) return undefined;
  const { id, workspaceId } = mailbox;
  return {
    kind: 'mailbox',
    workspaceId,
    mailboxId: id,
    ...(mailbox.address === address ? {} : { tagged: address }),
  };
}

async function findForwardedMailbox(id: string): Promise<MailRecipient | undefined> {
  const mailbox = await db().mailbox.findFirst({
    where: { id, workspace: { deletedAt: null } },
    select: { workspaceId: true },
  });
  return mailbox
    ? { kind: 'mailbox', workspaceId: mailbox.workspaceId, mailboxId: id, isForwarded: true }
    : undefined;
}

const placeSelect = {
  workspaceId: true,
  mailboxId: true,
  isTest: true,
  workspace: {
    select: { deletedAt: true, mailboxes: { select: { id: true, address: true, isDefault: true } } },
  },
} as const;

type Place = {
  workspaceId: string;
  mailboxId: string | null;
  isTest: boolean;
  workspace: { deletedAt: Date | null; mailboxes: { id: string; address: string; isDefault: boolean }[] };
};

async function conversationOf(id: string) {
  return placeOf(await db().conversation.findUnique({ where: { id }, select: placeSelect }));
}

async function messageOf(id: string) {
  const message = await db().message.findFirst({
    where: { id, direction: { not: 'inbound' } },
    select: { conversation: { select: placeSelect } },
  });
  return placeOf(message?.conversation ?? null);
}

function placeOf(place: Place | null) {
  if (!place || place.workspace.deletedAt !== null || place.isTest) return undefined;
  const { workspaceId, workspace } = place;
  const mailboxId = place.mailboxId ?? workspace.mailboxes.find(({ isDefault }) => isDefault)?.id ?? null;
  const domains = new Set(
    workspace.mailboxes.map(({ address }) => address.slice(address.lastIndexOf('@') + 1)),
  );
  return { workspaceId, mailboxId, domains };
}
