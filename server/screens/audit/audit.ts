import { z } from 'zod';
import { keyInput, textInput } from '#server/contract/text-input.ts';
import { AUDIT_TOPICS, type AuditTopic } from '#server/screens/audit/audit-sentences.ts';
import { listAuditEntries } from '#server/screens/audit/list-audit-entries.ts';
import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';

const PERSON_MAX_LENGTH = 200;

/** PostgreSQL knows no year 0. */
const FIRST_DAY = '0001-01-01';

/** A day as a date field sends it. Anything else counts as empty. */
const day = textInput(10).transform((text) =>
  FIRST_DAY <= text && z.iso.date().safeParse(text).success ? text : undefined,
);

/** What the form of the audit log sends: an unknown subject or day counts as empty. */
export const auditQuery = z.object({
  about: textInput(40)
    .transform((text): AuditTopic[] => (Object.hasOwn(AUDIT_TOPICS, text) ? [text as AuditTopic] : []))
    .default([]),
  person: textInput(PERSON_MAX_LENGTH).optional(),
  from: day.optional(),
  to: day.optional(),
});

/** Settings > Audit log, for owners and admins. */
export const auditScreens = screenRouter({
  list: adminProcedure
    .input(auditQuery.extend({ cursor: keyInput.optional() }))
    .query(({ ctx: { workspace, reads }, input: { cursor, about, person, from, to } }) =>
      listAuditEntries(reads, {
        workspaceId: workspace.id,
        cursor,
        filter: { topics: about, person: person?.trim(), from, to },
      }),
    ),
  topics: adminProcedure.query(() => Object.entries(AUDIT_TOPICS).map(([id, name]) => ({ id, name }))),
});
