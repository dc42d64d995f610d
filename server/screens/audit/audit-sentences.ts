import { explainEnd } from '#server/automation/connections/explain-end.ts';
import { ConnectionEnd } from '#server/generated/prisma/enums.ts';
import type { AuditKind } from '#server/teammates/audit-log.ts';

/** Subjects of audit entries, by which the audit log is filtered, with their names. */
export const AUDIT_TOPICS = {
  teammates: 'Teammates',
  sign_in: 'Sign-in',
  teams: 'Teams',
  workspace: 'Workspace and plan',
  channels: 'Channels and mailboxes',
  contacts: 'Contacts and companies',
  connections: 'Connections and integrations',
  developers: 'API tokens and webhooks',
} as const;

export type AuditTopic = keyof typeof AUDIT_TOPICS;

/** Values for the sentence of an entry. `by`: the author; `teammateName`: the teammate who connected. */
export type AuditFacts = {
  by: string | null;
  teammateName: string | null;
  data: Record<string, unknown>;
  platformName: string;
};

type Describe = (facts: AuditFacts) => string;

const INVITED_LIMITED = ', who will see only assigned conversations';

const KINDS: Record<AuditKind, [AuditTopic, Describe]> = {
  teammate_invited: [
    'teammates',
    (facts) => by(`invited {email} as {role}${facts.data.sees === 'assigned' ? INVITED_LIMITED : ''}`)(facts),
  ],
  invitation_withdrawn: ['teammates', by('withdrew the invitation of {email}')],
  teammate_joined: ['teammates', by('joined as {role}')],
  role_changed: ['teammates', by('changed the role of {teammateName} from {from} to {to}')],
  teammate_removed: ['teammates', by('removed {teammateName}, who was {role}')],
  teammate_left: ['teammates', by('left the workspace')],
  teammate_deleted: ['teammates', by('deleted their account')],
  signed_in: ['sign_in', by('signed in with {method}: {device}, {address}')],
  signed_in_on_new_device: ['sign_in', by('signed in on a new device with {method}: {device}, {address}')],
  sign_in_failed: [
    'sign_in',
    fill('A sign-in as {teammateName} failed, because the {method} was wrong: {device}, {address}.'),
  ],
  second_factor_enabled: ['sign_in', by('turned on two-factor authentication')],
  second_factor_disabled: ['sign_in', by('turned off two-factor authentication')],
  recovery_codes_renewed: ['sign_in', by('created new recovery codes')],
  passkey_added: ['sign_in', by('added the passkey {passkeyName}')],
  passkey_removed: ['sign_in', by('removed the passkey {passkeyName}')],
  second_factor_used: ['sign_in', by('passed the second step with {method}: {device}, {address}')],
  second_factor_failed: [
    'sign_in',
    fill('The second step of a sign-in as {teammateName} failed: {device}, {address}.'),
  ],
  address_change_requested: ['sign_in', by('asked to change their address to {to}')],
  address_changed: ['sign_in', fill('The address of {teammateName} was changed from {from} to {to}.')],
  address_change_refused: [
    'sign_in',
    fill('The change of the address of {teammateName} to {to} was prevented or undone.'),
  ],
  second_factor_required: ['sign_in', by('required two-factor authentication from {from}')],
  second_factor_not_required: ['sign_in', by('stopped requiring two-factor authentication')],
  second_factor_reset: ['sign_in', by('reset the second factor of {teammateName}')],
  single_sign_on_saved: ['sign_in', by('set up single sign-on with {issuer}')],
  single_sign_on_removed: ['sign_in', by('removed single sign-on with {issuer}')],
  single_sign_on_tested: ['sign_in', by('tested single sign-on as {email}')],
  single_sign_on_required: ['sign_in', by('required single sign-on')],
  single_sign_on_not_required: ['sign_in', by('stopped requiring single sign-on')],
  single_sign_on_joining: ['sign_in', signOnJoining],
  single_sign_on_failed: [
    'sign_in',
    fill('A sign-in of {who} by single sign-on failed: {device}, {address}. {reason}'),
  ],
  sign_on_domain_verified: ['sign_in', by('verified the domain {domain} for single sign-on')],
  sign_on_domain_removed: ['sign_in', by('removed the domain {domain} from single sign-on')],
  sessions_ended: ['sign_in', by('ended {sessions}')],
  team_created: ['teams', by('created the team {teamName}')],
  team_renamed: ['teams', by('renamed the team {from} to {to}')],
  team_deleted: ['teams', by('deleted the team {teamName}')],
  team_assignment_set: ['teams', by('set automatic assignment in the team {teamName} to {to}')],
  team_member_added: ['teams', by('added {teammateName} to the team {teamName}')],
  team_member_removed: ['teams', by('removed {teammateName} from the team {teamName}')],
  source_limited: ['teams', sourceLimited],
  source_opened: ['teams', by('let everyone see the conversations of {source}')],
  teammate_away: ['teammates', by('set {teammateName} away')],
  teammate_back: ['teammates', by('set {teammateName} back')],
  view_limited: [
    'teammates',
    by('limited {teammateName} to conversations that are assigned to them or their teams'),
  ],
  view_opened: ['teammates', by('let {teammateName} see also conversations that are not assigned to them')],
  tag_created: ['workspace', by('created the tag {tagName}')],
  tag_renamed: ['workspace', by('renamed the tag {from} to {to}')],
  tag_merged: ['workspace', by('merged the tag {from} into {to}')],
  tag_deleted: ['workspace', by('deleted the tag {tagName}')],
  new_tags_limited: ['workspace', by('let only owners and admins create tags')],
  new_tags_opened: ['workspace', by('let everyone create tags')],
  field_created: ['workspace', by('created the {subject} field {fieldName}')],
  field_renamed: ['workspace', by('renamed the {subject} field {from} to {to}')],
  field_choices_changed: ['workspace', by('changed the choices of the {subject} field {fieldName}')],
  field_deleted: ['workspace', by('deleted the {subject} field {fieldName}')],
  flow_created: ['workspace', by('created the automation {flowName}')],
  flow_changed: ['workspace', by('changed the automation {flowName}')],
  flow_turned_on: ['workspace', by('turned on the automation {flowName}')],
  flow_turned_off: ['workspace', by('turned off the automation {flowName}')],
  flow_deleted: ['workspace', by('deleted the automation {flowName}')],
  company_deleted: ['contacts', by('deleted the company {companyName}')],
  contacts_merged: ['contacts', by('merged the contact {contactName} into another one')],
  contact_exported: ['contacts', by('downloaded the data of the contact {contactName}')],
  contact_erasure_scheduled: ['contacts', by('scheduled the erasure of the contact {contactName}')],
  contact_erasure_stopped: ['contacts', by('stopped the erasure of the contact {contactName}')],
  contact_erased: ['contacts', contactErased],
  settings_changed: ['workspace', settingsChanged],
  hours_set: ['workspace', by('set the business hours')],
  hours_removed: ['workspace', by('removed the business hours')],
  team_hours_set: ['teams', by('set the business hours of the team {teamName}')],
  team_hours_removed: ['teams', by('let the team {teamName} use the business hours of the workspace')],
  workspace_export_requested: ['workspace', by('requested an export of the workspace')],
  workspace_export_downloaded: [
    'workspace',
    by('downloaded archive {archive} of the export of {requestedAt}'),
  ],
  retention_changed: ['workspace', retentionChanged],
  retention_applied: ['workspace', retentionApplied],
  plan_changed: ['workspace', by('changed the plan from {from} to {to}')],
  workspace_created: ['workspace', () => 'The workspace was created.'],
  test_workspace_created: ['workspace', by('created the test workspace {name}')],
  workspace_deleted: ['workspace', by('deleted the workspace')],
  domain_verified: ['channels', by('verified the domain {domain}')],
  domain_removed: ['channels', by('removed the domain {domain}')],
  signing_key_made: ['channels', by('created a signing key for mail of {domain}')],
  posted_mail_address_made: ['channels', by('created an address to which a mail server posts mail')],
  mailbox_renamed: ['channels', by('renamed the mailbox {address} to {name}')],
  mailbox_removed: ['channels', by('removed the mailbox {address}')],
  channel_connected: ['channels', by('connected {name} as a channel')],
  channel_disconnected: ['channels', by('disconnected the channel {name}')],
  form_added: ['channels', by('listed {form} as the address of a contact form')],
  form_removed: ['channels', by('removed {form} from the addresses of contact forms')],
  sender_blocked: ['channels', by('blocked {sender}')],
  sender_unblocked: ['channels', by('unblocked {sender}')],
  connection_made: [
    'connections',
    ({ by, platformName }) => `${nameOf(by)} approved a connection to ${platformName}.`,
  ],
  connection_refused: ['connections', connectionRefused],
  connection_ended: ['connections', connectionEnded],
  integration_added: ['connections', by('added the integration {name}')],
  integration_removed: ['connections', by('removed the integration {name}')],
  event_redelivered: ['connections', by('redelivered an event')],
  failed_events_redelivered: ['connections', failedEventsRedelivered],
  api_token_created: ['developers', by('created the API token “{label}”')],
  api_token_revoked: ['developers', by('revoked the API token “{label}”')],
  webhook_created: ['developers', by('created the webhook endpoint {url}')],
  webhook_changed: ['developers', by('changed the webhook endpoint {url}')],
  webhook_deleted: ['developers', by('deleted the webhook endpoint {url}')],
  webhook_secret_rotated: ['developers', by('rotated the secret of the webhook endpoint {url}')],
  webhook_replayed: ['developers', by('replayed events to the webhook endpoint {url}')],
};

const ALL = Object.entries(KINDS) as [AuditKind, [AuditTopic, Describe]][];

/** Returns the kinds of entries about these subjects. */
export function auditKindsOf(topics: AuditTopic[]): AuditKind[] {
  return ALL.flatMap(([kind, [topic]]) => (topics.includes(topic) ? [kind] : []));
}

/** Returns the sentence of an audit entry. A kind of a newer version has its name in words. */
export function auditSentence(kind: string, facts: AuditFacts): string {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind as AuditKind] : undefined;
  return known ? known[1](facts) : `${nameOf(facts.by)}: ${kind.replaceAll('_', ' ')}.`;
}

/** Returns the sentence of what the author did. A field in braces is replaced by its value. */
function by(did: string): Describe {
  const describe = fill(`${did}.`);
  return (facts) => `${nameOf(facts.by)} ${describe(facts)}`;
}

/** Returns a sentence whose fields in braces are replaced by their values. */
function fill(sentence: string): Describe {
  return ({ data }) =>
    sentence.replaceAll(/\{(\w+)\}/g, (_all, field: string) => textOf(data[field]) ?? '(unknown)');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function nameOf(author: string | null): string {
  return author ?? 'Someone';
}

function signOnJoining({ by, data }: AuditFacts): string {
  const who =
    data.role === 'nobody'
      ? 'only people with an invitation'
      : `people without an account, as ${textOf(data.role)},`;
  return `${nameOf(by)} let ${who} join by single sign-on.`;
}

const SETTINGS: Record<string, string> = {
  name: 'the name of the workspace',
  assignOnReply: 'assigning on reply',
  askForRating: 'asking for ratings',
  aiAgentEnabled: 'the AI agent',
  closeSolvedAfterDays: 'the days after which solved conversations are closed',
  slaFirstResponseMinutes: 'the minutes for a first response',
  slaResolutionMinutes: 'the minutes for a resolution',
  country: 'the country of phone numbers',
  searchLanguage: 'the language of searches',
};

function settingsChanged({ by: author, data }: AuditFacts): string {
  const changes = Object.entries(data).flatMap(([field, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [`${SETTINGS[field] ?? field} to ${VALUES[text] ?? text}`];
  });
  return `${nameOf(author)} set ${changes.join(', ') || 'a setting'}.`;
}

function sourceLimited({ by: author, data }: AuditFacts): string {
  const who = textOf(data.teams) ?? 'no team';
  return `${nameOf(author)} limited the conversations of ${textOf(data.source) ?? 'a channel'} to ${who}.`;
}

const VALUES: Record<string, string> = { true: 'on', false: 'off' };

const ERASED: Record<string, string> = {
  conversations: 'conversations',
  shared: 'conversations with others, in part',
  messages: 'messages',
  files: 'files',
  elsewhere: 'messages in conversations of others',
  mentions: 'messages of others that named an address',
  events: 'events',
  updates: 'updates of providers',
  auditEntries: 'names in the audit log',
};

function retentionChanged({ by: author, data }: AuditFacts): string {
  const days = (field: string, does: string) => {
    const text = textOf(data[field]);
    return text === undefined ? [] : [`${does} after ${text} days`];
  };
  const changes = [
    ...days('conversationDays', `${data.mode === 'anonymize' ? 'anonymize' : 'delete'} conversations`),
    ...days('fileDays', 'delete files'),
    ...days('auditDays', 'delete audit entries'),
  ];
  return `${nameOf(author)} set data retention to ${changes.join(', ') || 'delete nothing'}.`;
}

const RETAINED: Record<string, string> = {
  deleted: 'conversations deleted',
  anonymized: 'conversations anonymized',
  files: 'files deleted',
  originals: 'original emails deleted',
  auditEntries: 'audit entries deleted',
};

function retentionApplied({ data }: AuditFacts): string {
  const numbers = Object.entries(RETAINED).flatMap(([kind, what]) => {
    const count = textOf(data[kind]);
    return count === undefined ? [] : [`${what}: ${count}`];
  });
  return `Data retention ran. ${numbers.join(', ')}.`;
}

function contactErased({ by: author, data }: AuditFacts): string {
  const numbers = Object.entries(ERASED).flatMap(([kind, what]) => {
    const count = textOf(data[kind]) ?? '0';
    return count === '0' ? [] : [`${what}: ${count}`];
  });
  const listed = numbers.length > 0 ? ` Erased ${numbers.join(', ')}.` : '';
  return `A contact was erased, as ${nameOf(author)} requested.${listed}`;
}

function connectionRefused({ by: author, data, platformName }: AuditFacts): string {
  const attempt = `${nameOf(author)} tried to connect ${platformName} and was refused`;
  if (data.reason === 'role') return `${attempt}: only owners and admins can connect.`;
  if (data.reason === 'slots') return `${attempt}: no integration slot was free.`;
  return `${attempt}.`;
}

function connectionEnded({ by: author, teammateName, data, platformName }: AuditFacts): string {
  const teammate = teammateName ?? 'a teammate';
  const reason = Object.values(ConnectionEnd).find((end) => end === data.reason);
  if (reason === 'disconnected') return `${nameOf(author)} disconnected ${teammate}’s connection.`;
  if (reason === 'revoked_by_platform')
    return `${teammateName ?? 'A teammate'}’s connection was disconnected in ${platformName}.`;
  const why = reason ? ` ${explainEnd(reason, { platformName, teammateName: teammate }).why}` : '';
  return `${teammateName ?? 'A teammate'}’s connection ended.${why}`;
}

function failedEventsRedelivered({ by: author, data }: AuditFacts): string {
  const count = textOf(data.events);
  return `${nameOf(author)} redelivered ${count === '1' ? 'one failed event' : `${count ?? 'the'} failed events`}.`;
}
