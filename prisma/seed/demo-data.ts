import type { Ago } from '#prisma/seed/ago.ts';
import type { Person } from '#prisma/seed/people.ts';
import type { Step } from '#prisma/seed/steps.ts';
import type { Channel, Plan, Priority, Role } from '#server/generated/prisma/enums.ts';

/** A workspace of the demo data, with all that is in it. */
export type DemoWorkspace = {
  name: string;
  plan: Plan;
  since: Ago;
  members: Partial<Record<Person, Role>>;
  /** Minutes until a first response and until a solution are due; without it no clock runs. */
  sla?: { firstResponse: number; resolution: number };
  /** The domain of its mailboxes; email leaves only when it is verified. */
  domain: { name: string; verified: boolean };
  /** The first one is the default. */
  mailboxes: [DemoMailbox, ...DemoMailbox[]];
  integrations: { kind: string; name: string; since: Ago }[];
  teams: DemoTeam[];
  companies: DemoCompany[];
  contacts: DemoContact[];
  conversations: DemoConversation[];
};

export type DemoMailbox = { name: string; address: string };
export type DemoTeam = { name: string; members: Person[] };
export type DemoCompany = { name: string; domains: string[]; since: Ago };

/** Someone who writes to the team. The company follows from the email's domain unless it is given. */
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

/** A conversation and its story, oldest step first; the first step decides who started it. */
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
