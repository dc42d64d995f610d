/** A conversation that a reference or a reply address leads to, as it is looked up. */
export type ThreadCandidate = {
  conversationId: string;
  /** Its contact's; of one that was merged also the other one's. */
  contactEmails: string[];
};

/** What is known of a mail when its thread is looked for. */
export type MailToThread = {
  /** Lowercase; null when the mail has no readable From. */
  sender: string | null;
  /** A mail that failed joins no thread; only a mail that passed joins one as a teammate's. */
  authentication: 'passed' | 'failed' | 'unknown';
  inReplyTo: string[];
  /** Oldest first. */
  references: string[];
  /** The conversations of the signed reply addresses that it was sent to. */
  repliesTo: string[];
};

/** How a thread is looked up; every answer is of the one workspace that the mail came to. */
export type ThreadLookups = {
  /** What the Message-IDs lead to, by their header. */
  byReference(ids: string[]): Promise<Map<string, ThreadCandidate>>;
  byConversation(ids: string[]): Promise<ThreadCandidate[]>;
  isTeammate(email: string): Promise<boolean>;
};

/**
 * The conversation that a mail belongs to: by what it answers, then by what it refers to, newest first, then by the
 * signed reply address. It counts only where the sender is that conversation's contact or a verified teammate of the
 * workspace (decisions: conversations and contacts, 22 to 24, 29): knowing an id or an address of a thread lets no one
 * into it.
 * @returns null when it begins a conversation of its own
 */
export async function chooseThread(mail: MailToThread, lookups: ThreadLookups): Promise<string | null> {
  const { sender, authentication, inReplyTo, references, repliesTo } = mail;
  if (authentication === 'failed' || sender === null) return null;
  const ids = [...new Set([...inReplyTo, ...references.toReversed()])];
  const byReference = ids.length > 0 ? await lookups.byReference(ids) : new Map<string, ThreadCandidate>();
  const candidates = [
    ...ids.flatMap((id) => byReference.get(id) ?? []),
    ...(repliesTo.length > 0 ? await lookups.byConversation(repliesTo) : []),
  ];
  if (candidates.length === 0) return null;
  const own = candidates.find(({ contactEmails }) => contactEmails.includes(sender));
  if (own) return own.conversationId;
  if (authentication !== 'passed' || !(await lookups.isTeammate(sender))) return null;
  return candidates[0]?.conversationId ?? null;
}
