import type { EmailSettingsView, EmailStep } from '#server/screens/settings/channel-views.ts';

type EmailState = Pick<
  EmailSettingsView,
  'planProblem' | 'inboundHost' | 'domains' | 'mailboxes' | 'lastReceivedAt' | 'postedMail'
>;

/** Returns the first missing step of a workspace's email, or null when it receives and sends signed email. */
export function nextEmailStep(state: EmailState): EmailStep | null {
  const { planProblem, domains, mailboxes, lastReceivedAt } = state;
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null);
  if (planProblem !== null && verified.length === 0) {
    return { text: planProblem, link: 'Compare plans', href: '/settings/plan' };
  }
  const [domain] = domains;
  if (!domain) {
    return {
      text: 'Add the domain of your email addresses.',
      link: 'Add a domain',
      href: '#email-domains',
    };
  }
  if (verified.length === 0) {
    return {
      text: `Add the DNS record of ${domain.domain}, then verify the domain.`,
      link: 'Show the record',
      href: '#email-domains',
    };
  }
  if (mailboxes.length === 0) {
    return {
      text: 'Add a mailbox for the address that your contacts write to.',
      link: 'Add a mailbox',
      href: '#mailboxes',
    };
  }
  if (lastReceivedAt === null) return receivingStep(state, verified[0]?.domain ?? domain.domain);
  if (planProblem !== null) return { text: planProblem, link: 'Compare plans', href: '/settings/plan' };
  const unsigned = verified.find(({ signing, mayRemove }) => !mayRemove && signing.checkedAt === null);
  if (!unsigned) return null;
  return {
    text: unsigned.signing.record
      ? `Add the signing record of ${unsigned.domain} to its DNS, then check it.`
      : `Set up signing for ${unsigned.domain}, so that fewer emails are marked as spam.`,
    link: 'Go to signing',
    href: '#email-domains',
    isOptional: true,
  };
}

function receivingStep({ inboundHost, postedMail }: EmailState, domain: string): EmailStep {
  if (inboundHost !== null) {
    return {
      text: `Send a test email to each mailbox. It arrives once the MX record of ${domain} points here, or the mailbox is forwarded here.`,
      link: 'Go to mailboxes',
      href: '#mailboxes',
    };
  }
  return {
    text: postedMail
      ? 'Have your email provider post to the address below.'
      : 'Create an address to which your email provider posts incoming email.',
    link: 'Go to posted email',
    href: '#posted-email',
  };
}
