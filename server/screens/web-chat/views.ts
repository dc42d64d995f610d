/** A file that came with a message. */
export type ChatAttachment = { id: string; name: string; contentType: string; sizeBytes: number };

/** A message as a visitor of the web chat sees it. */
export type ChatMessage = {
  id: string;
  /** The id that the visitor's browser gave it; null for what others wrote. */
  clientId: string | null;
  /** The first name of who wrote it; null for the visitor. */
  authorName: string | null;
  content: string;
  /** ISO 8601. */
  createdAt: string;
  attachments: ChatAttachment[];
};

/** What a visitor sees of their conversation. */
export type ChatView = {
  /** Changes when another conversation has begun; null until the first message. */
  conversationId: string | null;
  /** Oldest first, the newest 200 at most. */
  messages: ChatMessage[];
  /** The team is done with it: `solved` goes on with the next message, after `closed` that starts another one. */
  ended: 'solved' | 'closed' | null;
  /** How the visitor rated the last solving, or null. */
  rating: { score: number; comment: string | null } | null;
  /** An address is known of the visitor, so that they are asked for none. */
  isIntroduced: boolean;
};

/** The web chat of a workspace, for the visitor who opens it. */
export type ChatPageView = { workspaceId: string; workspaceName: string };

/** How to put the web chat on a site, and how much the workspace's files take of what they may, in bytes. */
export type WebChatSettingsView =
  | { kind: 'not_allowed'; role: string }
  | {
      kind: 'shown';
      scriptTag: string;
      chatPath: string;
      tryPath: string;
      files: { usedBytes: number; quotaBytes: number };
    };
