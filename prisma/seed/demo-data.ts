import type { Ago } from '#prisma/seed/ago.ts';
import type { Person } from '#prisma/seed/people.ts';
import type { Step } from '#prisma/seed/steps.ts';
import type { Channel, Plan, Priority, Role } from '#server/generated/prisma/enums.ts';

export type DemoWorkspace = {
  name: string;
  plan: Plan;
  since: Ago;
  members: Partial<Record<Person, Role>>;
  /** Minutes until first response and resolution. Without targets no clock runs. */
  sla?: { firstResponse: number; resolution: number };
  /** Domain of its mailboxes. Email is only sent when it is verified. */
  domain: { name: string; verified: boolean };
  /** The first one is the default. */
  mailboxes: [DemoMailbox, ...DemoMailbox[]];
  integrations: { kind: string; name: string; since: Ago }[];
  teams: DemoTeam[];
  companies: DemoCompany[];
  contacts: DemoContact[];
  flows?: DemoFlow[];
  savedReplies?: DemoSavedReply[];
  /** Answers of the AI agent, which is on if there are any. */
  answers?: DemoAnswer[];
  conversations: DemoConversation[];
};

export type DemoMailbox = { name: string; address: string };
/** An automation: a conversation that starts on one of the channels with one of the words gets the tags. */
export type DemoFlow = { name: string; channels: Channel[]; words: string[]; tags: string[] };
export type DemoSavedReply = { name: string; folder: string; by: Person; usedCount: number; content: string };
export type DemoAnswer = { question: string; answer: string };
export type DemoTeam = { name: string; members: Person[] };
export type DemoCompany = { name: string; domains: string[]; since: Ago };

/** A contact. The company follows from the email domain unless it is given. */
export type DemoContact = {
  since: Ago;
  name?: string;
  email?: string;
  phone?: string;
  city?: string;
  language?: string;
  company?: DemoCompany;
  isTest?: true;
};

/** A conversation and its steps, oldest first. The first step decides who started it. */
export type DemoConversation = {
  channel: Channel;
  contact: DemoContact;
  subject?: string;
  priority?: Priority;
  team?: DemoTeam;
  mailbox?: DemoMailbox;
  isTest?: true;
  steps: [Step, ...Step[]];
};
