import type { Retention } from '#server/administration/retention/retention-rule.ts';
import type { OutboxDetails, OutboxRow } from '#server/administration/workspaces/test-outbox.ts';
import type { DeliveryDetails, EndpointDelivery } from '#server/automation/webhooks/endpoint-deliveries.ts';
import type { Endpoint } from '#server/automation/webhooks/endpoints.ts';
import type { Country } from '#server/contacts/countries.ts';
import type { BusinessHours } from '#server/core/business-hours.ts';
import type { ShownCount } from '#server/core/shown-count.ts';
import type { Plan, Role } from '#server/generated/prisma/enums.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';

export type { ExportView } from '#server/administration/export/request-export.ts';
export type { RetentionPreview } from '#server/administration/retention/preview-retention.ts';
export type { Retention } from '#server/administration/retention/retention-rule.ts';
export type { SetupStep } from '#server/administration/workspaces/setup-steps.ts';
export type { Country } from '#server/contacts/countries.ts';
export type { BusinessHours, OpenSpan } from '#server/core/business-hours.ts';

export type WorkspaceSettingsView =
  | { kind: 'not_allowed'; role: string }
  | {
      kind: 'shown';
      name: string;
      assignOnReply: boolean;
      askForRating: boolean;
      /** In days; null for never. Maximum: `closeAfterDaysMax`. */
      closeSolvedAfterDays: number | null;
      closeAfterDaysMax: number;
      /** SLA targets for the first response and the resolution, in minutes; null for none. */
      slaFirstResponseMinutes: number | null;
      slaResolutionMinutes: number | null;
      /** ISO 3166-1 code, or null if not chosen, and the choices by name. */
      country: string | null;
      /** Language whose stems a search also finds, and all choices. */
      searchLanguage: string;
      languages: { code: string; name: string }[];
      countries: Country[];
      /** True if this teammate is an owner. */
      mayDelete: boolean;
    };

/** A page of the outbox of a test workspace, newest first. `older` opens the next page. `details`: the opened message. */
export type OutboxView = {
  messages: OutboxRow[];
  older: string | null;
  details: OutboxDetails | null;
  messagesMax: number;
  historyDays: number;
};

export type PlanView = {
  plan: Plan;
  planName: string;
  /** Null when unlimited. */
  slots: number | null;
  internalNotes: boolean;
  emailSending: boolean;
  isCurrent: boolean;
  /** Losses of this workspace on a smaller plan, as sentences. */
  losses: string[];
};

export type PlansView = { mayChange: boolean; slotsUsed: number; plans: PlanView[] };

/** Consequences of deleting the workspace. */
export type WorkspaceDeletionView = {
  name: string;
  teammates: number;
  connections: number;
  liveWorkflows: number;
  conversations: ShownCount;
  /** Name of the test workspace, which is deleted as well; null if there is none. */
  testName: string | null;
};

/** `hours` null: the workspace is always open, a team has the hours of the workspace. */
export type BusinessHoursView = {
  hours: BusinessHours | null;
  teams: { id: string; name: string; hours: BusinessHours | null }[];
};

/** A tag, and what a change of it would reach. */
export type TagView = {
  key: string;
  name: string;
  tint: number | null;
  conversations: ShownCount;
  /** Names of the automations that add it. */
  automations: string[];
  /** Number of workflows of the platform that start when it is added. */
  workflows: number;
  /** A job still renames, merges or deletes it. */
  isChanging: boolean;
};

/** A page of tags. `next`: key after which the next page starts. */
export type TagsView = { newTagsByAdmins: boolean; tags: TagView[]; next: string | null };

export type BlockedSenderView = {
  id: string;
  kind: 'address' | 'domain' | 'chat';
  name: string;
  createdByName: string;
  createdAt: Date;
  lastRefusedAt: Date | null;
};

/** The newest entries of the block list that match the search. */
export type BlockedSendersView = {
  total: number;
  max: number;
  senders: BlockedSenderView[];
  hasMore: boolean;
};

/** A saved reply in the settings. `mayEdit`: this teammate can change it. `isYours`: they created it. */
export type SavedReplyView = {
  id: string;
  name: string;
  folder: string;
  content: string;
  isPrivate: boolean;
  isYours: boolean;
  mayEdit: boolean;
  createdByName: string;
  usedCount: number;
  lastUsedAt: Date | null;
  updatedAt: Date;
  files: UploadedFile[];
};

/** The saved replies that match the search, by folder and name. `total`: all that this teammate can see. */
export type SavedRepliesView = {
  workspaceId: string;
  replies: SavedReplyView[];
  hasMore: boolean;
  total: number;
  /** Names of the folders, for the form. */
  folders: string[];
  variables: { name: string; about: string }[];
  limits: { name: number; content: number; files: number };
};

/**
 * A saved reply that the composer offers, filled in for its conversation. `missing`: descriptions of the variables without
 * a value or fallback. `files`: copies of them are added when it is inserted.
 */
export type OfferedSavedReply = {
  id: string;
  name: string;
  folder: string;
  content: string;
  missing: string[];
  files: { name: string; sizeBytes: number }[];
};

/** An API token without its secret. `abilities`: in words. */
export type ApiTokenView = {
  id: string;
  label: string;
  abilities: string[];
  lastFour: string;
  /** Null: no expiry. */
  expiresAt: Date | null;
  isExpired: boolean;
  createdByName: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
};

/** API tokens that are not revoked, and the abilities that a new one can have. */
export type DevelopersView = {
  tokens: ApiTokenView[];
  tokensMax: number;
  abilities: { value: string; label: string; hint: string }[];
  /** Address of the developer API. */
  apiUrl: string;
};

/** Webhook endpoints, and what a new one can have. */
export type WebhooksView = {
  endpoints: Endpoint[];
  endpointsMax: number;
  choices: { events: string[]; tokens: { id: string; label: string }[] };
};

/** A webhook endpoint with a page of its deliveries, newest first, and the details of one of them. */
export type WebhookView = Pick<WebhooksView, 'choices'> & {
  endpoint: Endpoint;
  secret: string;
  deliveries: EndpointDelivery[];
  older: string | null;
  details: DeliveryDetails | null;
  /** Days for which events can be replayed. */
  historyDays: number;
};

/** Single sign-on of a workspace. `testPath`: opens the provider, and then the settings with the result. */
export type SingleSignOnView = {
  provider: {
    issuer: string;
    clientId: string;
    testedAt: Date | null;
    requiredAt: Date | null;
    joinRole: Role | null;
  } | null;
  domains: {
    id: string;
    domain: string;
    verifiedAt: Date | null;
    record: { type: 'TXT'; name: string; value: string };
  }[];
  redirectUri: string;
  startUrl: string;
  testPath: string;
};

/** The retention rule of a workspace. `startsAt`: null when it has started or there is none. */
export type RetentionView = Retention & {
  startsAt: Date | null;
  daysMin: number;
  daysMax: number;
  workspaceName: string;
  mayChange: boolean;
};
