import { shownEmail } from '#server/core/email-domain.ts';
import type { BlockedKind, Role } from '#server/generated/prisma/enums.ts';
import type { ContactBlock } from '#server/inbox/blocked-senders/contact-blocks.ts';
import type { StepView } from '#server/screens/inbox/thread-views.ts';
import type { ContactBlockView } from '#server/screens/inbox/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/**
 * Returns the steps of an entry of the block list: since when the contact's messages are refused, and when one was last
 * refused.
 */
export function blockedSteps(block: ContactBlock, role: Role): Omit<StepView, 'id'>[] {
  const { kind, createdByName, createdAt, lastRefusedAt } = block;
  const since = `Messages from ${senderOf(block)} have been refused since ${createdByName} blocked ${NOUNS[kind]}.`;
  const path = pathOf(block, role);
  const link = path === null ? {} : { link: { path, name: 'Show in Blocked senders' } };
  if (lastRefusedAt === null) {
    const sentence = `${since} None has arrived since.`;
    return [{ at: new Date(createdAt), sentence, tone: 'bad', ...link }];
  }
  const last = 'The last one was refused, and was not stored.';
  return [
    { at: new Date(createdAt), sentence: since, tone: 'bad' },
    { at: new Date(lastRefusedAt), sentence: last, tone: 'bad', ...link },
  ];
}

/** Returns what the details of a conversation show about an entry of the block list. */
export function blockView(block: ContactBlock, role: Role): Omit<ContactBlockView, 'id'> {
  const { createdByName, createdAt, lastRefusedAt } = block;
  return {
    sender: senderOf(block),
    createdByName,
    createdAt: new Date(createdAt),
    lastRefusedAt: lastRefusedAt === null ? null : new Date(lastRefusedAt),
    path: pathOf(block, role),
  };
}

const NOUNS: Record<BlockedKind, string> = {
  address: 'this address',
  domain: 'this domain',
  chat: 'this person',
};

/** Returns the sender. The erasure of a contact also erases the label. */
function senderOf({ kind, value, label }: ContactBlock): string {
  if (kind === 'chat') return label ?? 'this chat';
  return kind === 'domain' ? `${shownEmail(value)} and its subdomains` : shownEmail(value);
}

/** Returns the path of the entry in the settings; null for a teammate who cannot open them. */
function pathOf({ kind, value, label }: ContactBlock, role: Role): string | null {
  if (!isAdmin(role)) return null;
  const search = kind === 'chat' ? (label ?? '') : value;
  return `/settings/blocked-senders?search=${encodeURIComponent(search)}`;
}
