import { domainRecord } from '#server/administration/workspaces/email-domains.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { settings } from '#server/core/env.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { lookUpMailRoutes, type MailResolver } from '#server/core/mail/mail-routes.ts';
import { webhookAddress } from '#server/inbox/channels/accounts/webhook-address.ts';
import { forwardingAddress, inboundHost } from '#server/inbox/channels/email/inbound-addresses.ts';
import { signingRecord } from '#server/inbox/channels/email/signing-keys.ts';
import { FORMS_MAX } from '#server/inbox/incoming-mail/listed-forms.ts';
import type {
  DomainView,
  EmailSettingsView,
  MailboxView,
  MailRouteView,
} from '#server/screens/settings/channel-views.ts';
import { nextEmailStep } from '#server/screens/settings/next-email-step.ts';
import { lowestPlanWith, PLANS } from '#server/teammates/plans.ts';

/** Returns the email settings of a workspace: domains, mailboxes, forms and the address for posted mail. One statement. */
export async function getEmailSettings(db: Db, workspaceId: string): Promise<EmailSettingsView> {
  const workspace = await db.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: {
      plan: true,
      emailDomains: {
        select: {
          id: true,
          domain: true,
          verificationToken: true,
          verifiedAt: true,
          dkimSelector: true,
          dkimPublicKey: true,
          dkimCheckedAt: true,
          _count: { select: { mailboxes: true } },
        },
        orderBy: { domain: 'asc' },
      },
      mailboxes: {
        select: {
          id: true,
          address: true,
          name: true,
          isDefault: true,
          lastReceivedAt: true,
          testSentAt: true,
          testReceivedAt: true,
          emailDomain: { select: { verifiedAt: true } },
        },
        orderBy: { address: 'asc' },
      },
      emailForms: {
        where: { isForm: true },
        select: { id: true, address: true },
        orderBy: { address: 'asc' },
        take: FORMS_MAX,
      },
      channelAccounts: {
        where: { channel: 'email', deletedAt: null },
        select: { id: true, createdAt: true, lastReceivedAt: true },
        take: 1,
      },
    },
    relationLoadStrategy: 'join',
  });
  const planProblem = PLANS[workspace.plan].emailSending
    ? null
    : `Sending email needs the ${lowestPlanWith('emailSending')} plan or higher.`;
  const [posted] = workspace.channelAccounts;
  const view = {
    planProblem,
    inboundHost: inboundHost(),
    sendsMail: settings().SMTP_URL !== undefined,
    domains: workspace.emailDomains.map(domainView),
    mailboxes: workspace.mailboxes.map(
      ({ emailDomain, ...mailbox }): MailboxView => ({
        ...mailbox,
        forwardTo: forwardingAddress(mailbox.id),
        problem: planProblem ?? (emailDomain?.verifiedAt ? null : 'Its domain is not verified yet.'),
      }),
    ),
    forms: workspace.emailForms.map(({ id, address }) => ({ id, address: shownEmail(address) })),
    postedMail: posted
      ? {
          address: webhookAddress({ channel: 'email', id: posted.id }),
          madeAt: posted.createdAt,
          lastReceivedAt: posted.lastReceivedAt,
        }
      : null,
    lastReceivedAt: newest(workspace.mailboxes.map(({ lastReceivedAt }) => lastReceivedAt)),
  };
  return { ...view, nextStep: nextEmailStep(view) };
}

type DomainRow = {
  id: string;
  domain: string;
  verificationToken: string;
  verifiedAt: Date | null;
  dkimSelector: string | null;
  dkimPublicKey: string | null;
  dkimCheckedAt: Date | null;
  _count: { mailboxes: number };
};

function domainView(row: DomainRow): DomainView {
  const { id, domain, verificationToken, verifiedAt, dkimSelector: selector, dkimPublicKey: publicKey } = row;
  return {
    id,
    domain,
    verifiedAt,
    record: domainRecord({ domain, verificationToken }),
    mayRemove: row._count.mailboxes === 0,
    signing: {
      record: selector && publicKey ? signingRecord({ domain, selector, publicKey }) : null,
      checkedAt: row.dkimCheckedAt,
    },
  };
}

function newest(times: (Date | null)[]): Date | null {
  return times.reduce((latest, time) => (time && (!latest || time > latest) ? time : latest), null);
}

/**
 * Looks up where the email of a workspace's verified domains goes. Returns nothing when the service has no listener for
 * email, and `unknown` for all domains after too many lookups.
 */
export async function getMailRoutes(
  db: Db,
  resolver: MailResolver,
  workspaceId: string,
): Promise<MailRouteView[]> {
  const host = inboundHost();
  if (host === null) return [];
  const rows = await db.emailDomain.findMany({
    where: { workspaceId, verifiedAt: { not: null } },
    select: { id: true, domain: true },
  });
  if (rows.length === 0) return [];
  const { allowed } = await consumeLimit('mail_route', workspaceId, rows.length);
  const domains = allowed ? rows.map(({ domain }) => domain) : [];
  const routes = await lookUpMailRoutes(resolver, { domains, host });
  return rows.map(({ id, domain }) => ({
    domainId: id,
    ...(routes.get(domain) ?? { state: 'unknown', servers: [] }),
  }));
}
