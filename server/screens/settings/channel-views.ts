import type { MailRoute } from '#server/core/mail/mail-routes.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { SavedAnswerView } from '#server/inbox/ai-agent/saved-answers.ts';
import type { ChannelField } from '#server/inbox/channels/channel-names.ts';
import type { FlowContent, FlowTriggerKind } from '#server/inbox/flows/flow.ts';

export { CHANNEL_LIST, CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';

export type AccountView = {
  id: string;
  name: string;
  state: 'connected' | 'faulty' | 'reconnect_needed';
  /** The current problem as a sentence, or null. */
  problem: string | null;
  lastReceivedAt: Date | null;
  /** Remaining step in the provider's settings; null once the provider has called the webhook address. */
  openStep: string | null;
  /** To copy into the provider's settings. */
  address: string;
  verifyToken: string | null;
  /** Number of received messages that could not be processed. They can be retried. */
  failedUpdates: number;
};

/** A channel with connectable accounts. */
export type ChannelView = {
  channel: Channel;
  name: string;
  fields: ChannelField[];
  /** Instructions for the provider, one sentence each. */
  steps: string[];
  accounts: AccountView[];
};

/** A DNS record to add. */
type DnsRecord = { type: 'TXT'; name: string; value: string };

export type DomainView = {
  id: string;
  domain: string;
  /** Null until it is verified. Email is only sent from a verified domain. */
  verifiedAt: Date | null;
  /** The DNS record that verifies the domain. */
  record: DnsRecord;
  /** True if it can be removed because it has no mailbox. */
  mayRemove: boolean;
  /** DKIM: the key's DNS record, null without a key, and when it was last found, null while emails are sent unsigned. */
  signing: { record: DnsRecord | null; checkedAt: Date | null };
};

export type MailboxView = {
  id: string;
  address: string;
  name: string;
  isDefault: boolean;
  /** Reason why email cannot be sent from it, or null. */
  problem: string | null;
  /** Address to which another mail server can forward its email; null when the service has no listener for email. */
  forwardTo: string | null;
  lastReceivedAt: Date | null;
  /** The newest test email. */
  testSentAt: Date | null;
  testReceivedAt: Date | null;
};

/** Where a verified domain's MX records lead. */
export type MailRouteView = { domainId: string } & MailRoute;

/** The next step of setting up email, and where it is done. `isOptional`: email is received and sent without it. */
export type EmailStep = { text: string; link: string; href: string; isOptional?: true };

export type EmailSettingsView = {
  /** Reason why the plan sends no email, so no domain can be added or verified, or null. */
  planProblem: string | null;
  /** Host to which MX records point; null when the service has no listener for email. */
  inboundHost: string | null;
  /** True if the service has a mail server that sends email, and so test emails. */
  sendsMail: boolean;
  domains: DomainView[];
  mailboxes: MailboxView[];
  /** Senders that are forms of a website. */
  forms: { id: string; address: string }[];
  /**
   * URL to which an email provider posts incoming mail; null without such an address. The secret is never shown
   * again.
   */
  postedMail: { address: string; madeAt: Date; lastReceivedAt: Date | null } | null;
  /** When any mailbox last received an email. */
  lastReceivedAt: Date | null;
  nextStep: EmailStep | null;
};

export type { FlowContent, FlowTriggerKind };

export type FlowView = {
  id: string;
  name: string;
  enabled: boolean;
  /** Null when it cannot be parsed; the flow then does nothing. */
  content: FlowContent | null;
  /** Trigger, condition and actions in one sentence. */
  sentence: string;
  /** Reason why part of it has no effect, or where it was stopped; null without a problem. */
  problem: string | null;
  /** Last run within 30 days. */
  lastRunAt: Date | null;
};

/** The flows of a workspace in the order in which they run, and the choices for their parts. */
export type FlowsView = {
  /** True if this teammate can change them. */
  mayManage: boolean;
  flows: FlowView[];
  flowsMax: number;
  /** The connected channels. */
  channels: Channel[];
  teammates: { id: string; name: string }[];
  teams: { id: string; name: string }[];
};

export type { SavedAnswerView } from '#server/inbox/ai-agent/saved-answers.ts';
export type { AgentTestView } from '#server/inbox/ai-agent/test-agent.ts';

export type AgentView = {
  enabled: boolean;
  /** True if this teammate can change it. */
  mayManage: boolean;
  /** True if this teammate can test it. */
  mayTest: boolean;
  /** Sorted by question. */
  answers: SavedAnswerView[];
  answersMax: number;
  questionMaxLength: number;
  answerMaxLength: number;
};

/** State of the AI agent in a conversation, if it is on in the workspace. `silenced`: it does not reply. */
export type AgentStateView = { silenced: boolean; mayChange: boolean };
