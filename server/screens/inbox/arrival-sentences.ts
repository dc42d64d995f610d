import { shownEmail } from '#server/core/email-domain.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { AgentDecision, Silence } from '#server/inbox/ai-agent/load-question.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type { DomainCheck, SenderChecks } from '#server/inbox/mail-parser/authenticated-mail.ts';
import type { ThreadReason } from '#server/inbox/messages/incoming-message.ts';

/** Columns of a received message that explain its arrival. `isNew`: it started its conversation. */
export type ArrivedMessage = {
  actorName: string | null;
  authorAddress: string | null;
  channel: Channel;
  isMail: boolean;
  isNew: boolean;
  automatic: boolean;
  forbidsAnswers: boolean;
  senderVerified: boolean | null;
  senderChecks: SenderChecks | null;
  threadReason: string | null;
  agentDecision: string | null;
};

/** Returns the sentences about how a message of a contact arrived and why it is where it is. */
export function arrivalSentences(found: ArrivedMessage, contactName: string | null): string[] {
  const { authorAddress, actorName, channel, isMail, automatic, forbidsAnswers } = found;
  const author = authorAddress ? shownEmail(authorAddress) : (actorName ?? contactName ?? 'the contact');
  return [
    `Arrived ${CHANNEL_NAMES[channel].phrase} from ${author}.`,
    ...(isMail ? [checkSentence(found)] : []),
    ...(found.senderChecks ? [describeChecks(found.senderChecks)] : []),
    ...threadSentences(found),
    ...(automatic ? [machineSentence(found)] : []),
    ...(forbidsAnswers ? ['Its headers forbid automatic answers, so it gets none.'] : []),
    ...agentSentences(found),
  ];
}

/** A new conversation has its event whoever wrote, and a report of a failure notifies teammates (docs/rulings.md 3.20, 3.23). */
function machineSentence({ isNew, threadReason }: ArrivedMessage): string {
  if (isNew)
    return 'A machine wrote it, so it notified nobody. Workflows get the new conversation, but no message.';
  return threadReason === ('returned' satisfies ThreadReason)
    ? 'A machine wrote it, so it reopened nothing, and workflows get no message.'
    : 'A machine wrote it, so it reopened nothing, notified nobody and started no workflow.';
}

function checkSentence({ senderVerified, senderChecks }: ArrivedMessage): string {
  const forwarder = senderVerified ? senderChecks?.forwarder : null;
  return forwarder
    ? `Its sender was verified: SPF, DKIM or DMARC of the domain passed before ${forwarder} forwarded it (ARC).`
    : CHECKS[`${senderVerified}`];
}

const CHECKS: Record<'true' | 'false' | 'null', string> = {
  true: 'Its sender was verified: SPF, DKIM or DMARC of the domain passed.',
  false: 'Its sender failed the check of SPF, DKIM and DMARC.',
  null: 'Its sender could not be checked: the domain publishes nothing that proves it.',
};

function threadSentences({ threadReason, isNew, isMail }: ArrivedMessage): string[] {
  const sentence = THREADS[threadReason as ThreadReason];
  if (sentence) return [sentence];
  if (isMail) return [];
  return [isNew ? 'It started this conversation.' : 'It belongs to the contact’s open conversation.'];
}

const THREADS: Record<ThreadReason, string> = {
  answers: 'It is in this conversation because it answers a message here.',
  reply_address: 'It is in this conversation because it was sent to its reply address.',
  returned: 'It is in this conversation because it reports about a message that was sent from here.',
  names_none: 'It started this conversation because it answers no earlier email.',
  unknown: 'It started this conversation because the emails that it answers are not in this workspace.',
  not_believed:
    'It answers another conversation, but started this one because its sender could not be believed.',
  other_person:
    'It answers another conversation, but started this one because its sender takes no part in that one.',
  ended: 'It answers a conversation that is closed or deleted, so it started this one.',
  continues: 'It answers a conversation that is closed or deleted, which this one continues.',
};

/** Describes the results of SPF, DKIM and DMARC. */
function describeChecks({ spf, dkim, dmarc }: SenderChecks): string {
  const policy = dmarc?.policy && dmarc.result !== 'none' ? `, whose policy is “${dmarc.policy}”` : '';
  return [
    ...(spf ? [describe('SPF', SPF, spf)] : ['SPF was not checked: no mail server sent it.']),
    ...(dkim.length > 0
      ? dkim.map((signature) => describe('DKIM', DKIM, signature))
      : ['DKIM: it is not signed.']),
    ...(dmarc ? [describe('DMARC', DMARC, { ...dmarc, domain: `${dmarc.domain}${policy}` })] : []),
  ].join(' ');
}

function describe(name: string, sentences: Sentences, { result, domain }: DomainCheck): string {
  return sentences[result]?.(domain) ?? `${name} of ${domain}: ${result}.`;
}

type Sentences = Record<string, (domain: string) => string>;

const SPF: Sentences = {
  pass: (domain) => `SPF passed: ${domain} lists the server that sent it.`,
  fail: (domain) => `SPF failed: ${domain} does not list the server that sent it.`,
  softfail: (domain) => `SPF failed: ${domain} does not list the server that sent it.`,
  neutral: (domain) => `SPF: ${domain} says nothing about the server that sent it.`,
  none: (domain) => `SPF: ${domain} publishes no list of its servers.`,
  temperror: (domain) => `SPF: the list of ${domain} could not be read.`,
  permerror: (domain) => `SPF: the list of ${domain} is invalid.`,
};

const DKIM: Sentences = {
  pass: (domain) => `DKIM passed: ${domain} signed it.`,
  fail: (domain) => `DKIM failed: the signature of ${domain} does not fit.`,
  policy: (domain) => `DKIM: the signature of ${domain} proves too little.`,
  neutral: (domain) => `DKIM: the signature of ${domain} could not be checked.`,
  temperror: (domain) => `DKIM: the key of ${domain} could not be read.`,
};

const DMARC: Sentences = {
  pass: (domain) => `DMARC passed for ${domain}.`,
  fail: (domain) => `DMARC failed for ${domain}.`,
  none: (domain) => `DMARC: ${domain} publishes no policy.`,
  temperror: (domain) => `DMARC: the policy of ${domain} could not be read.`,
};

/** Returns the sentence about what the AI agent did with it. */
function agentSentences({ agentDecision }: ArrivedMessage): string[] {
  const decision = agentDecision as AgentDecision | null;
  if (decision === null) return [];
  if (decision === 'answered') return ['The AI agent answered it.'];
  // Undefined for one of a later version.
  const why: string | undefined = SILENCES[decision];
  return why ? [`The AI agent did not answer it: ${why}.`] : [];
}

const SILENCES: Record<Silence, string> = {
  not_open: 'the conversation was not open, or the agent was switched off',
  late: 'it was asked too late',
  written_since: 'someone else wrote, or is about to',
  unverified: 'the sender is not verified',
  forbidden: 'the headers forbid automatic answers',
  other_person: 'it is to be answered at another address, or names another person',
  no_answer: 'it had no answer',
  limit: 'the recipient got too many automatic emails',
  not_sendable: 'the channel could not send the answer',
  failed: 'it failed or took too long',
  merged: 'a conversation of another contact was merged into this one',
};
