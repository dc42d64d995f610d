import type { Ago } from '#prisma/seed/ago.ts';
import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import type { DemoFile } from '#prisma/seed/demo-files.ts';
import type { Person } from '#prisma/seed/people.ts';
import { plainText } from '#prisma/seed/plain-text.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';

/** Actor of a step, except the contact. */
export type Doer = Person | 'ai_agent' | 'flow' | 'automatic';

/** A step of a conversation. Its effects (reopening, assigning on reply) are derived. */
export type Step = { at: Ago } & (
  | { kind: 'says'; text: string; files: DemoFile[] }
  | { kind: 'replies'; by: Doer; text: string; failed: string | null }
  | { kind: 'notes'; by: Person; text: string }
  | { kind: 'tags'; by: Doer; tags: string[] }
  | { kind: 'assigns'; by: Doer; to: Person }
  | { kind: 'becomes'; by: Doer; status: ConversationStatus }
  | { kind: 'rates'; score: 1 | 2 | 3 | 4 | 5; comment: string | null }
  | { kind: 'runs'; by: Person; command: string; details: string }
  | { kind: 'merges'; by: Person; into: DemoConversation }
);

export function says(at: Ago, text: string, ...files: DemoFile[]): Step {
  return { kind: 'says', at, text: plainText(text), files };
}

/** A message of the team or the AI agent. `failed` is the channel's refusal. */
export function replies(at: Ago, by: Doer, text: string, failed: string | null = null): Step {
  return { kind: 'replies', at, by, text: plainText(text), failed };
}

/** An internal note. `@` and a teammate's full name mentions them. */
export function notes(at: Ago, by: Person, text: string): Step {
  return { kind: 'notes', at, by, text: plainText(text) };
}

export function tags(at: Ago, by: Doer, ...names: string[]): Step {
  return { kind: 'tags', at, by, tags: names };
}

export function assigns(at: Ago, by: Doer, to: Person): Step {
  return { kind: 'assigns', at, by, to };
}

export function becomes(at: Ago, status: ConversationStatus, by: Doer): Step {
  return { kind: 'becomes', at, by, status };
}

export function rates(at: Ago, score: 1 | 2 | 3 | 4 | 5, comment?: string): Step {
  return { kind: 'rates', at, score, comment: comment === undefined ? null : plainText(comment) };
}

export function runs(at: Ago, by: Person, command: string, details: string): Step {
  return { kind: 'runs', at, by, command, details };
}

export function merges(at: Ago, by: Person, into: DemoConversation): Step {
  return { kind: 'merges', at, by, into };
}
