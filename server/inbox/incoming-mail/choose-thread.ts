import type { ThreadReason } from '#server/inbox/messages/incoming-message.ts';

/** A conversation that a reference or a reply address leads to. */
export type ThreadCandidate = {
  conversationId: string;
  /** Address of its contact; for a merged conversation also of the surviving conversation's contact. */
  contactEmails: string[];
  /** Address that its contact only claims. */
  claimedEmail: string | null;
};

/** The fields of a mail that decide about its thread. */
export type MailToThread = {
  /** Lowercase; null when the mail has no readable From. */
  sender: string | null;
  /** A mail that failed joins no thread. Only a mail that passed can join as a teammate's. */
  authentication: 'passed' | 'failed' | 'unknown';
  inReplyTo: string[];
  /** Oldest first. */
  references: string[];
  /** Conversation ids from the signed reply addresses among the recipients. */
  repliesTo: string[];
};

/** `isOther`: the sender is not the contact. `conversationId` is null when the mail starts a new conversation. */
export type ChosenThread = { conversationId: string | null; isOther: boolean; reason: ThreadReason };

/** Lookups within the one workspace that received the mail. */
export type ThreadLookups = {
  /** Maps Message-IDs to conversations. */
  byReference(ids: string[]): Promise<Map<string, ThreadCandidate>>;
  byConversation(ids: string[]): Promise<ThreadCandidate[]>;
  isTeammate(email: string): Promise<boolean>;
  /**
   * Returns those of the conversations that have the address in To or Cc of a verified email, or of one that we sent, also to a contact
   * who only claims it.
   */
  inCopy(conversationIds: string[], email: string): Promise<Set<string>>;
};

/**
 * Returns the conversation that a mail belongs to. Tries In-Reply-To, then References from newest to oldest, then the
 * signed reply addresses. A conversation counts only when the sender is its contact, a verified teammate of the
 * workspace, or a verified person in copy of one of its emails (`docs/rulings.md` 3.22 to 3.24, 3.29): knowing an id or an
 * address of a thread gives nobody access.
 */
export async function chooseThread(mail: MailToThread, lookups: ThreadLookups): Promise<ChosenThread> {
  const { sender, authentication, inReplyTo, references, repliesTo } = mail;
  if (inReplyTo.length + references.length + repliesTo.length === 0) return startNew('names_none');
  if (authentication === 'failed' || sender === null) return startNew('not_believed');
  const ids = [...new Set([...inReplyTo, ...references.toReversed()])];
  const byReference = ids.length > 0 ? await lookups.byReference(ids) : new Map<string, ThreadCandidate>();
  const candidates = [
    ...ids.flatMap((id) => byReference.get(id) ?? []),
    ...(repliesTo.length > 0 ? await lookups.byConversation(repliesTo) : []),
  ];
  if (candidates.length === 0) return startNew('unknown');
  const join = (conversationId: string, isOther: boolean): ChosenThread => {
    const isNamed = [...byReference.values()].some((known) => known.conversationId === conversationId);
    return { conversationId, isOther, reason: isNamed ? 'answers' : 'reply_address' };
  };
  // A mail that proves nothing can continue the thread of a contact who proved nothing (docs/rulings.md 3.13).
  const own = candidates.find(
    ({ contactEmails, claimedEmail }) =>
      contactEmails.includes(sender) || (authentication === 'unknown' && claimedEmail === sender),
  );
  if (own) return join(own.conversationId, false);
  if (authentication !== 'passed') return startNew('other_person');
  const conversationIds = [...new Set(candidates.map(({ conversationId }) => conversationId))];
  const joined = (await lookups.isTeammate(sender)) ? null : await lookups.inCopy(conversationIds, sender);
  const other = conversationIds.find((id) => joined === null || joined.has(id));
  return other === undefined ? startNew('other_person') : join(other, true);
}

function startNew(reason: ThreadReason): ChosenThread {
  return { conversationId: null, isOther: false, reason };
}
