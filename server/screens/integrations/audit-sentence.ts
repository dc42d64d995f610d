import { z } from 'zod';
import { explainEnd } from '#server/automation/connections/explain-end.ts';
import { ConnectionEnd } from '#server/generated/prisma/enums.ts';
import type { AuditKind, TeamAuditKind } from '#server/teammates/audit-log.ts';

/** The kinds about connections and what goes through them. */
export type ConnectionAuditKind = Exclude<AuditKind, TeamAuditKind>;

/** What an entry's sentence needs besides its kind. `by`: who did it; `teammateName`: whose connection it is. */
export type AuditFacts = {
  by: string | null;
  teammateName: string | null;
  data: unknown;
  platformName: string;
};

/** Why an approval was refused, by the reason that `approve` notes. */
const REFUSALS = z.object({ reason: z.enum(['role', 'slots']) });
const ENDS = z.object({ reason: z.enum(ConnectionEnd) });
const NAME = z.object({ name: z.string() });
const COUNT = z.object({ events: z.string() });

const SENTENCES: Record<ConnectionAuditKind, (facts: AuditFacts) => string> = {
  connection_made: ({ by, platformName }) => `${nameOf(by)} approved a connection to ${platformName}.`,
  connection_refused: refused,
  connection_ended: ended,
  integration_added: ({ by, data }) => `${nameOf(by)} added the integration ${integrationIn(data)}.`,
  integration_removed: ({ by, data }) => `${nameOf(by)} removed the integration ${integrationIn(data)}.`,
  event_redelivered: ({ by }) => `${nameOf(by)} redelivered an event.`,
  failed_events_redelivered: ({ by, data }) => {
    const count = COUNT.safeParse(data).data?.events;
    return `${nameOf(by)} sent ${count === '1' ? 'one failed event' : `${count ?? 'the'} failed events`} again.`;
  },
};

/** The kinds of the list of connections. */
export const CONNECTION_AUDIT_KINDS = Object.keys(SENTENCES);

/**
 * The sentence of an entry of the audit list; null when it is of no kind of this list, or of one that
 * only a newer version knows.
 */
export function auditSentence(kind: string, facts: AuditFacts): string | null {
  return isOfConnections(kind) ? SENTENCES[kind](facts) : null;
}

function refused({ by, data, platformName }: AuditFacts): string {
  const attempt = `${nameOf(by)} tried to connect ${platformName} and was refused`;
  switch (REFUSALS.safeParse(data).data?.reason) {
    case 'role':
      return `${attempt}: only owners and admins can connect.`;
    case 'slots':
      return `${attempt}: no integration slot was free.`;
    case undefined:
      return `${attempt}.`;
  }
}

function ended({ by, teammateName, data, platformName }: AuditFacts): string {
  const whose = teammateName ?? 'a teammate';
  const reason = ENDS.safeParse(data).data?.reason;
  if (reason === 'disconnected') return `${nameOf(by)} disconnected the connection of ${whose}.`;
  const why = reason ? ` ${explainEnd(reason, { platformName, teammateName: whose }).why}` : '';
  return `The connection of ${whose} ended.${why}`;
}

function integrationIn(data: unknown): string {
  return NAME.safeParse(data).data?.name ?? 'of another kind';
}

function nameOf(by: string | null): string {
  return by ?? 'Someone';
}

function isOfConnections(kind: string): kind is ConnectionAuditKind {
  return kind in SENTENCES;
}
