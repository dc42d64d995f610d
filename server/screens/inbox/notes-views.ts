/** A teammate as they are offered for a mention. */
export type MentionableView = { id: string; name: string; email: string };
